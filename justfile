# What is done every day. `just` lists it.

# The list
default:
    @just --list

# Every check and every test
test *words:
    ./test {{words}}

# What is quick to check while writing
check:
    cargo fmt --all
    cargo clippy --workspace --all-targets --locked -- -D warnings

# Rust tests whose names hold a word
rust word='':
    cargo nextest run --workspace --locked {{word}}

# The Python extension, and the Python tests
python *words:
    scripts/build_extension
    PYTHONPATH=python python3 -m pytest {{words}}

# The page of the report, built again
report:
    cd report && npm ci && npm run build

# Damaged files, so many of them
fuzz inputs='20000' seed='1':
    scripts/fuzz --inputs {{inputs}} --seed {{seed}}

# A fit that is killed at 200 random moments
resume kills='200':
    scripts/check_resume {{kills}}

# The pages as a book, in target/book, and a check of all links
book:
    scripts/build_book

# Programs that a stranger can begin with, all of them run
examples:
    scripts/run_examples

# The built-in example
demo:
    cargo run --release --locked -- demo

# The wheel, and what is promised of it
wheel:
    scripts/check_wheel

# Licences, advisories and duplicates of dependencies (needs cargo-deny)
deny:
    cargo deny check

# Where a cold release build spends its time
timings:
    CARGO_TARGET_DIR=target/timings cargo build --release --locked --timings
