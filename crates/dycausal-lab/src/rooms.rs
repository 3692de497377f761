//! A room imports only from rooms that stand above it in `lib.rs`.

#[test]
fn imports_go_up() {
    let wrong = dycausal_rooms::wrong(env!("CARGO_MANIFEST_DIR"), include_str!("lib.rs")).unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
