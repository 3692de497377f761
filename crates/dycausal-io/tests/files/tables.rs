//! Text tables as people write them.

use dycausal::TimeIndex;
use dycausal_io::{Extra, Format, Note, ReadOptions, Source};

use crate::{csv, file, long, noted, options, read_path};

#[test]
fn quotes_marks_and_line_ends_do_not_matter() {
    let plain = csv("a,b\n1,2\n3,4\n", &options()).unwrap().panel;
    for text in [
        "\u{feff}a,b\r\n1,2\r\n3,4\r\n",
        "\"a\",\"b\"\n\"1\",\"2\"\n\"3\",\"4\"",
        "a;b\n1;2\n3;4\n",
        "a\tb\n1\t2\n3\t4\n",
        "a , b\n 1,2 \n 3 , 4\n\n",
    ] {
        let panel = csv(text, &options()).unwrap().panel;
        assert_eq!((panel.names(), panel.values()), (plain.names(), plain.values()), "{text:?}");
    }
}

#[test]
fn hostile_names_survive() {
    let names = ["a\"b", "c,d", "e\nf", "😀", "<script>"];
    let text = "\"a\"\"b\",\"c,d\",\"e\nf\",😀,<script>\n1,2,3,4,5\n2,3,4,5,6\n";
    assert_eq!(csv(text, &options()).unwrap().panel.names(), names);
}

#[test]
fn a_table_without_a_header_is_taken_and_told() {
    let reading = csv("1.5,2\n3,4\n", &options()).unwrap();
    assert_eq!(reading.panel.names(), ["x1", "x2"]);
    assert_eq!(reading.panel.values()[[0, 0, 0]], 1.5);
    assert!(noted(&reading, "no header"));
    let reading = csv("2020-01-01,2\n2020-01-02,4\n", &options()).unwrap();
    assert_eq!(reading.panel.names(), ["x1"]);
    assert_eq!(reading.panel.times().label(0), "2020-01-01");
    let counted = csv(",0,1\n0,5,6\n1,7,8\n", &options()).unwrap().panel;
    assert_eq!((counted.names(), counted.steps()), (&["0".into(), "1".into()][..], 2));
}

#[test]
fn times_are_found_by_name_unless_told_otherwise() {
    let text = "Date,a,b\n2020-01,1,2\n2020-02,3,4\n";
    let reading = csv(text, &options()).unwrap();
    assert_eq!(reading.panel.names(), ["a", "b"]);
    assert_eq!(reading.notes, [Note::TimeByName { column: "Date".into() }]);
    let plain = ReadOptions { time: Some(String::new()), ..options() };
    let reading = csv("t,a\n3,1\n2,5\n", &plain).unwrap();
    assert_eq!(reading.panel.names(), ["t", "a"]);
    assert_eq!(reading.panel.times(), &TimeIndex::Steps(2));
    let kept = ReadOptions { columns: vec!["a".into(), "t".into()], ..options() };
    assert_eq!(csv("t,a\n3,1\n2,5\n", &kept).unwrap().panel.names(), ["a", "t"]);
}

#[test]
fn columns_are_kept_in_the_order_asked_for_and_text_is_dropped() {
    let text = "a,site,b,c\n1,north,2,3\n4,south,5,6\n";
    let asked = ReadOptions { columns: vec!["c".into(), "a".into()], ..options() };
    let panel = csv(text, &asked).unwrap().panel;
    assert_eq!(panel.names(), ["c", "a"]);
    assert_eq!(panel.one_series(0).row(1).to_vec(), [6.0, 4.0]);
    let dropped = ReadOptions { drop: vec!["site".into()], ..options() };
    assert_eq!(csv(text, &dropped).unwrap().panel.names(), ["a", "b", "c"]);
}

#[test]
fn long_tables_in_any_order_are_the_same_panel() {
    let by_series = "id,time,a\nx,1,10\nx,2,20\ny,1,30\ny,2,40\n";
    let by_time = "time,a,id\n2,20,x\n1,30,y\n2,40,y\n1,10,x\n";
    let first = csv(by_series, &long("id", "time")).unwrap().panel;
    let second = csv(by_time, &long("id", "")).unwrap().panel;
    assert_eq!(first.values(), second.values());
    assert_eq!(first.series_names(), second.series_names());
    assert_eq!(second.times(), &TimeIndex::Numbers(vec![1.0, 2.0]));
}

#[test]
fn rows_without_a_time_keep_their_order_within_a_series() {
    let panel = csv("id,a\nx,1\ny,5\nx,2\nx,3\n", &long("id", "")).unwrap().panel;
    assert_eq!((panel.length(0), panel.length(1), panel.steps()), (3, 1, 3));
    assert_eq!(panel.one_series(0).column(0).to_vec(), [1.0, 2.0, 3.0]);
    assert_eq!(panel.missing(), 2);
}

#[test]
fn formats_are_told_by_extension_or_by_name() {
    let of = |name: &str| Format::of(&Source::from(name));
    assert_eq!(of("a/b.CSV"), Ok(Format::Csv));
    assert_eq!(of("x.feather"), Ok(Format::Arrow));
    assert_eq!("Parquet".parse(), Ok(Format::Parquet));
    assert!(Extra::ALL.iter().all(|extra| extra.name().parse() == Ok(*extra)));
    let unknown = "pdf".parse::<Extra>().unwrap_err().to_string();
    assert!(unknown.contains("expected one of: parquet, dot, graphml, tigramite"), "{unknown}");
    let (_folder, path) = file("data.txt", "a\tb\n1\t2\n3\t4\n");
    let asked = ReadOptions { format: Some(Format::Tsv), ..options() };
    assert_eq!(read_path(&path, &asked).unwrap().panel.names(), ["a", "b"]);
}
