//! What is wrong is said: where, what was found, what was expected, what to do.

use std::path::Path;

use dycausal_io::{ReadOptions, Source, read, read_run, read_truth};

use crate::{csv, data, file, long, options, read_path, said};

/// The message for a text file.
fn told(text: &str, options: &ReadOptions) -> String {
    let error = csv(text, options).unwrap_err();
    assert!(error.is_input());
    said(&error)
}

/// The message for any file.
fn told_of(path: &Path) -> String {
    let error = read_path(path, &options()).unwrap_err();
    assert!(error.is_input());
    said(&error)
}

#[track_caller]
fn has(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
}

#[test]
fn files_that_are_not_there() {
    let (folder, _) = file("rivers.csv", "a\n1\n2\n");
    let path = folder.path().join("river.csv");
    has(&told_of(&path), &["river.csv: there is no such file", "did you mean `rivers.csv`?"]);
    has(&told_of(folder.path()), &["is a folder; give the data file in it"]);
    let (_folder, empty) = file("a.csv", "");
    has(&told_of(&empty), &["a.csv is empty"]);
    let (_folder, empty) = file("a.npy", "");
    has(&told_of(&empty), &["a.npy is empty"]);
    let (_folder, unknown) = file("a.pdf", "a\n1\n2\n");
    has(
        &told_of(&unknown),
        &["unknown format `pdf`", "(format)", "csv, tsv, parquet, arrow, npy, npz, mat, xlsx, ods"],
    );
    has(&told_of(Path::new("/nowhere/at/all")), &["there is no such file"]);
    has(&"xls".parse::<dycausal_io::Format>().unwrap_err().to_string(), &["unknown format `xls`"]);
}

#[test]
fn tables_that_are_not_tables() {
    has(&told("a,b\n1,2\n3\n", &options()), &["line 3: found 1 cell(s); expected 2"]);
    has(&told("a,b\n1,2\n\n3,4,5\n", &options()), &["line 4: found 3 cell(s); expected 2"]);
    has(&told("a,b\r\n1,2\r\n3\r\n", &options()), &["line 3: found 1 cell(s)"]);
    has(&told("a,b\n", &options()), &["has 0 row(s) of data; expected at least 2"]);
    has(&told("a,b\n1,2\n", &options()), &["has 1 row(s) of data; expected at least 2"]);
    has(&told("a,b,a\n1,2,3\n", &options()), &["columns 1 and 3 are both called `a`"]);
    has(&told("\n\n", &options()), &["is empty"]);
    has(&told("a\n1\n\n3\n", &options()), &["line 3", "write NA where it is missing"]);
    has(&told("time\n1\n2\n", &options()), &["has no variable"]);
}

#[test]
fn cells_that_are_no_numbers() {
    let text = told("rain,soil\n1,2\n3,wet\n", &options());
    has(&text, &["line 3, column `soil`: found `wet`", "expected a number", "(drop)"]);
    let comma = told("a,b\n1,2\n\"1,5\",3\n", &options());
    has(&comma, &["line 3, column `a`: found `1,5`", "decimal point", "(decimal=comma)"]);
    for infinite in ["inf", "-Infinity", "1e999"] {
        let message = told(&format!("a,b\n1,2\n{infinite},2\n"), &options());
        has(&message, &["line 3, column `a`", infinite, "finite number"]);
    }
    let quoted = told("a,b\n1,\"2\n3\"\n4,5\n", &options());
    has(&quoted, &["line 2, column `b`"]);
    let after = told("a,\"b\nc\"\n1,2\nx,3\n", &options());
    has(&after, &["line 4, column `a`: found `x`"]);
}

#[test]
fn bytes_that_are_no_text() {
    for (content, line) in [(&b"a,b\n1,2\n3,\xff\n"[..], "line 3"), (b"a,b\xe4\n1,2\n", "line 1")] {
        let (_folder, path) = file("a.csv", content);
        has(&told_of(&path), &[line, "not UTF-8"]);
    }
    for (content, found) in
        [(&b"\xff\xfea\0"[..], "UTF-16"), (b"a\0b", "binary"), (b"PK\x03\x04", "zip archive")]
    {
        let (_folder, path) = file("a.csv", content);
        has(&told_of(&path), &["is not a sound text file", found]);
    }
}

#[test]
fn times_that_do_not_increase() {
    let unsorted = told("time,a\n1,1\n3,2\n2,3\n", &options());
    has(
        &unsorted,
        &["column `time`", "time `2` (line 4) does not come after `3` (line 3)", "sort the rows"],
    );
    let twice = told("date,a\n2020-01-01,1\n2020-01-01,2\n", &options());
    has(
        &twice,
        &["`2020-01-01` (line 3) does not come after `2020-01-01` (line 2)", "(id, time=)"],
    );
    has(
        &told("time,a\n1,1\n,2\n", &options()),
        &["line 3, column `time`: found ``", "a date such as"],
    );
    has(&told("time,a\n1,1\nsoon,2\n", &options()), &["line 3", "found `soon`"]);
    has(
        &told("date,a\n2020-01-01,1\n7,2\n", &options()),
        &["expected a date without a time zone, as in the first row"],
    );
}

#[test]
fn long_tables_that_contradict_themselves() {
    let twice = told("id,time,a\nx,1,1\nx,2,2\nx,1,3\n", &long("id", "time"));
    has(&twice, &["series `x` has two rows for time `1` (line 2 and line 4)"]);
    has(
        &told("id,time,a\n,1,1\nx,2,2\n", &long("id", "time")),
        &["line 2, column `id`", "the name of a series"],
    );
    has(
        &told("id,time,a\nx,1,1\nx,2,2\n", &long("di", "time")),
        &["has no column `di`", "did you mean `id`?"],
    );
    let rows: Vec<String> = (0..20_000).map(|row| format!("s{row},{row},1\n")).collect();
    let scattered = "id,time,a\n".to_owned() + &rows.concat();
    has(
        &told(&scattered, &long("id", "time")),
        &["20000 series have 20000 different times", "name no time"],
    );
}

#[test]
fn columns_that_are_not_there() {
    let asked = ReadOptions { columns: vec!["rian".into()], ..options() };
    has(
        &told("rain,soil\n1,2\n2,3\n", &asked),
        &["has no column `rian` (did you mean `rain`?); it has: rain, soil"],
    );
    let asked = ReadOptions { time: Some("when".into()), ..options() };
    has(&told("rain,soil\n1,2\n2,3\n", &asked), &["has no column `when`"]);
    let array = ReadOptions { array: Some("x".into()), ..options() };
    has(&told("rain,soil\n1,2\n2,3\n", &array), &["`array` does not apply"]);
    let error = read_path(&data("wide.npy"), &asked).unwrap_err().to_string();
    has(&error, &["`time` does not apply to NPY"]);
}

#[test]
fn arrays_of_the_wrong_kind() {
    has(&told_of(&data("integers.npy")), &["integers (dtype <i8)", ".astype(float)"]);
    has(&told_of(&data("complex.npy")), &["complex numbers (dtype <c16)", ".astype(float)"]);
    has(&told_of(&data("objects.npy")), &["Python objects (dtype |O)"]);
    has(&told_of(&data("one_dimension.npy")), &["1 dimension(s), shape [3]", "column_stack"]);
    has(&told_of(&data("four_dimensions.npy")), &["4 dimension(s)", "reshape"]);
    has(&told_of(&data("several.npz")), &["it holds 2 arrays; name one of: first, second (array)"]);
    has(&told_of(&data("packed.mat")), &["it holds 2 arrays", "data [4, 3], panel [2, 4, 3]"]);
}

/// An NPY file with this header.
fn npy(header: &str, values: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values);
    bytes
}

#[test]
fn arrays_that_are_cut_or_lie() {
    let whole = std::fs::read(data("wide.npy")).unwrap();
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 1000000000), }\n";
    let overflowing =
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n";
    for (content, parts) in [
        (
            whole[..whole.len() - 1].to_vec(),
            &["95 bytes of values", "96 bytes for shape [4, 3]"][..],
        ),
        ([&whole[..], b"x"].concat(), &["97 bytes of values"]),
        (whole[..40].to_vec(), &["a cut header"]),
        (whole[..5].to_vec(), &["no header"]),
        (npy(header, &[0; 16]), &["16 bytes of values", "8000000000000000000 bytes"]),
        (npy(overflowing, &[0; 16]), &["16 bytes of values", "more than any"]),
        (npy("{'descr': '<f8'}", &[]), &["the header {'descr': '<f8'}"]),
        (b"hello, world".to_vec(), &["other first bytes"]),
        (
            npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }", &[]),
            &["at least one"],
        ),
        (
            npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }", &[0; 8]),
            &["1 row(s) of data"],
        ),
        (
            npy(
                "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }",
                &f64::INFINITY.to_le_bytes().repeat(2),
            ),
            &["`x1` is inf in series `1` at step 1"],
        ),
    ] {
        let (_folder, path) = file("a.npy", content);
        has(&told_of(&path), parts);
    }
    let (_folder, path) = file("truth.npy", npy(header, &[0; 16]));
    has(&read_truth(&path).unwrap_err().to_string(), &["16 bytes of values"]);
    let (_folder, path) = file("a.mat", [&b"MATLAB 7.3 MAT-file"[..], &[0; 200]].concat());
    has(&told_of(&path), &["version 7.3 (HDF5)", "'-v7'"]);
}

#[test]
fn columns_of_text_in_binary_tables() {
    for name in ["long.parquet", "zstd.arrow"] {
        has(&told_of(&data(name)), &["column `station` holds text", "(drop, id, time)"]);
    }
    has(&told_of(&data("category.parquet")), &["column `station` holds categories"]);
}

#[test]
fn any_damage_to_any_file_is_an_error_or_harmless() {
    for name in [
        "dated.parquet",
        "zstd.arrow",
        "lz4.arrow",
        "wide.mat",
        "packed.mat",
        "named.npz",
        "several.npz",
        "fortran.npy",
        "book.xlsx",
        "book.ods",
    ] {
        let whole = std::fs::read(data(name)).unwrap();
        let asked = ReadOptions {
            array: match name {
                "several.npz" => Some("first".into()),
                "packed.mat" => Some("panel".into()),
                _ => None,
            },
            id: (name == "zstd.arrow").then(|| "station".into()),
            ..options()
        };
        let (_folder, path) = file(name, &whole);
        let source = Source::from(path.as_path());
        assert!(read(&source, &asked).is_ok(), "{name}");
        // Every byte of small files, about a thousand of larger ones.
        for (count, at) in (0..whole.len()).step_by(1 + whole.len() / 1000).enumerate() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            std::fs::write(&path, &damaged).unwrap();
            let _ = read(&source, &asked);
            if count % 8 == 0 {
                std::fs::write(&path, &whole[..at]).unwrap();
                // A MAT file that ends between two matrices is whole.
                let cut = read(&source, &asked);
                assert!(cut.is_err() || name == "wide.mat", "{name} cut at {at}");
            }
        }
    }
}

#[test]
fn folders_that_are_no_runs() {
    let (folder, _) = file("run.json", "{\"method\": 3}");
    let message = read_run(folder.path()).unwrap_err().to_string();
    has(&message, &["is not a run folder: run.json", "that a fit wrote"]);
    has(&read_run(Path::new("/nowhere")).unwrap_err().to_string(), &["is not a run folder"]);
}
