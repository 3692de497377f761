//! Tables as people write and pack them: decimal commas, one row per value, archives, spreadsheets,
//! several files.

use std::io::Write;
use std::path::Path;

use dycausal_io::{Decimal, ReadOptions, Source, find_sources, read_several};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::{bits, csv, data, file, noted, options, read_path, said};

#[track_caller]
fn has(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
}

fn told(text: &str, options: &ReadOptions) -> String {
    said(&csv(text, options).unwrap_err())
}

#[test]
fn decimal_commas_are_found_where_cells_are_not_separated_by_commas() {
    let plain = csv("t,a,b\n0.5,1.5,-2\n1.0,1234.5,NA\n", &options()).unwrap().panel;
    for text in ["t;a;b\n0,5;1,5;-2\n1;1.234,5;NA\n", "t\ta\tb\n0,5\t1,5\t-2\n1,0\t1234,5\t\n"] {
        let reading = csv(text, &options()).unwrap();
        assert_eq!(bits(&reading.panel), bits(&plain));
        assert_eq!(reading.panel.times(), plain.times());
        assert!(noted(&reading, "numbers have decimal commas"));
    }
    let headless = csv("1,5;2,5;3,5\n4,5;5,5;6,5\n", &options()).unwrap().panel;
    assert_eq!(headless.one_series(0).row(0).to_vec(), [1.5, 2.5, 3.5]);
    has(
        &told("a;b\n1.5;2\n1,5;3\n", &options()),
        &["line 3", "`1,5`", "point, as in line 2", "(decimal=comma)"],
    );
    has(&told("a;b\n1,5;2\n1.5;3\n", &options()), &["line 3", "`1.5`", "comma, as in line 2"]);
    has(&told("a,b\n\"1,5\",2\n", &options()), &["line 2", "(decimal=comma)"]);
    let comma = ReadOptions { decimal: Some(Decimal::Comma), ..options() };
    let asked = csv("a,b\n\"1,5\",2.000\n3,\"4,25\"\n", &comma).unwrap().panel;
    assert_eq!(asked.one_series(0).row(0).to_vec(), [1.5, 2000.0]);
}

fn by_value() -> ReadOptions {
    ReadOptions { variable: Some("symbol".into()), value: Some("close".into()), ..options() }
}

#[test]
fn a_table_with_one_row_per_value_is_a_panel() {
    let text =
        "date,symbol,close\n2024-01-02,A,1\n2024-01-02,B,2\n2024-01-03,B,3\n2024-01-04,A,4\n";
    let panel = csv(text, &by_value()).unwrap().panel;
    assert_eq!(
        (panel.names(), panel.steps(), panel.missing()),
        (&["A".to_owned(), "B".into()][..], 3, 2)
    );
    assert_eq!(panel.one_series(0).row(1)[1], 3.0);
    let kept = ReadOptions { columns: vec!["B".into()], ..by_value() };
    assert_eq!(csv(text, &kept).unwrap().panel.names(), ["B"]);
    let two = ReadOptions { id: Some("market".into()), ..by_value() };
    let text = "market,date,symbol,close\nx,1,A,1\ny,1,A,2\nx,2,A,3\ny,2,A,4\n";
    let panel = csv(text, &two).unwrap().panel;
    assert_eq!((panel.series_names(), panel.steps()), (&["x".to_owned(), "y".into()][..], 2));
    let twice = "market,date,symbol,close\nx,1,A,1\nx,2,A,3\nx,1,A,2\n";
    has(&told(twice, &two), &["`A` of series `x` has two values for time `1` (line 2 and line 4)"]);
    let alone = ReadOptions { variable: Some("symbol".into()), ..options() };
    has(&told(text, &alone), &["`variable`, `value` and `time` go together", "give `value`"]);
    has(&told("when,symbol,close\n1,A,2\n", &by_value()), &["give `time`"]);
    has(
        &told("date,symbol,close\n1,,2\n2,A,2\n", &by_value()),
        &["line 2, column `symbol`", "name of a variable"],
    );
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

#[test]
fn packed_files_are_unpacked_as_they_are_read() {
    let text: String =
        (0..500).fold(String::new(), |text, row| text + &format!("{row},{}\n", row * row));
    let text = format!("a,b\n{text}");
    let plain = csv(&text, &options()).unwrap().panel;
    let zstd = zstd::encode_all(text.as_bytes(), 3).unwrap();
    for (name, packed) in [("data.csv.gz", gzip(text.as_bytes())), ("data.csv.zst", zstd.clone())] {
        let (_folder, path) = file(name, &packed);
        assert_eq!(read_path(&path, &options()).unwrap().panel.values(), plain.values(), "{name}");
        let (_folder, path) = file(name, &packed[..packed.len() - 9]);
        let message = read_path(&path, &options()).unwrap_err().to_string();
        has(&message, &[name, "end too early", "again"]);
        let mut damaged = packed.clone();
        damaged[packed.len() / 2] ^= 0x55;
        let (_folder, path) = file(name, &damaged);
        has(&read_path(&path, &options()).unwrap_err().to_string(), &[name]);
    }
    // Two archives in a row are one text.
    let (first, second) = text.split_at(text.len() / 2);
    let (_folder, path) =
        file("data.tsv.gz", [gzip(first.as_bytes()), gzip(second.as_bytes())].concat());
    let asked = ReadOptions { format: Some(dycausal_io::Format::Csv), ..options() };
    assert_eq!(read_path(&path, &asked).unwrap().panel.values(), plain.values());
    let array = std::fs::read(data("wide.npy")).unwrap();
    let (_folder, path) = file("wide.npy.gz", gzip(&array));
    let direct = read_path(&data("wide.npy"), &options()).unwrap().panel;
    assert_eq!(bits(&read_path(&path, &options()).unwrap().panel), bits(&direct));
}

#[test]
fn archives_that_grow_beyond_all_measure_are_refused() {
    let text = [b"a,b\n".to_vec(), b"0,0\n".repeat(20 << 20)].concat();
    for (name, packed) in
        [("bomb.csv.gz", gzip(&text)), ("bomb.csv.zst", zstd::encode_all(&text[..], 3).unwrap())]
    {
        assert!(packed.len() < text.len() / 400, "{}", packed.len());
        let (_folder, path) = file(name, packed);
        has(
            &read_path(&path, &options()).unwrap_err().to_string(),
            &[name, "300 times their size"],
        );
    }
}

#[test]
fn sheets_are_read_with_their_dates() {
    let expected = read_path(&data("dated.csv"), &options()).unwrap().panel;
    for book in ["book.xlsx", "book.ods"] {
        let reading = read_path(&data(book), &options()).unwrap();
        assert_eq!(bits(&reading.panel), bits(&expected), "{book}");
        assert_eq!(
            (reading.panel.names(), reading.panel.times()),
            (expected.names(), expected.times())
        );
        assert!(noted(&reading, "sheet `daily`, the first of 2"));
        for sheet in ["by hour", "2"] {
            let asked =
                ReadOptions { sheet: Some(sheet.into()), time: Some("when".into()), ..options() };
            let panel = read_path(&data(book), &asked).unwrap().panel;
            assert_eq!(bits(&panel), bits(&expected), "{book}");
            assert_eq!(panel.times().label(2), "2024-01-31T00:00:00");
            assert_eq!(panel.times().step().map(|step| step.to_string()), Some("hour".into()));
        }
        let asked = ReadOptions { sheet: Some("weekly".into()), ..options() };
        let message = read_path(&data(book), &asked).unwrap_err();
        has(&said(&message), &[book, "no sheet `weekly`", "(sheet)", "daily, by hour"]);
        let plain = ReadOptions { time: Some(String::new()), ..options() };
        let message = read_path(&data(book), &plain).unwrap_err();
        has(&said(&message), &["sheet `daily`, row 2, column `date`", "(time, drop)"]);
    }
}

/// An XLSX file with one sheet of these rows of XML.
fn workbook(rows: &str) -> Vec<u8> {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006";
    let parts = [
        ("[Content_Types].xml", format!("{head}<Types xmlns=\"{package}/content-types\"/>")),
        (
            "_rels/.rels",
            format!(
                "{head}<Relationships xmlns=\"{package}/relationships\"><Relationship Id=\"r1\" Type=\"{office}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml",
            format!(
                "{head}<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "{head}<Relationships xmlns=\"{package}/relationships\"><Relationship Id=\"r1\" Type=\"{office}/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/worksheets/sheet1.xml",
            format!("{head}<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>"),
        ),
    ];
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn row(number: u32, cells: &[&str]) -> String {
    let cells = cells.iter().zip('A'..).map(|(cell, letter)| match cell.parse::<f64>() {
        Ok(_) => format!("<c r=\"{letter}{number}\"><v>{cell}</v></c>"),
        Err(_) => format!("<c r=\"{letter}{number}\" t=\"str\"><v>{cell}</v></c>"),
    });
    format!("<row r=\"{number}\">{}</row>", cells.collect::<String>())
}

#[test]
fn sheets_that_are_wrong_or_absurd_are_refused_with_their_cell() {
    let told = |rows: &str| {
        let (_folder, path) = file("book.xlsx", workbook(rows));
        read_path(&path, &options()).map(|reading| reading.panel).map_err(|error| error.to_string())
    };
    let head = row(1, &["a", "b"]);
    let panel = told(&[head.clone(), row(2, &["1", "2,5"]), row(4, &["3", ""])].concat()).unwrap();
    assert_eq!((panel.steps(), panel.missing(), panel.values()[[0, 0, 1]]), (2, 1, 2.5));
    let text = told(&[head.clone(), row(2, &["1", "wet"])].concat()).unwrap_err();
    has(&text, &["book.xlsx, sheet `S`, row 2, column `b`: found `wet`"]);
    let wide = told(&[head.clone(), row(2, &["1", "2", "3"])].concat()).unwrap_err();
    has(&wide, &["row 2, column `C`", "no such column"]);
    let far = "<row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row>";
    has(
        &told(&[head.clone(), row(2, &["1", "2"]), far.into()].concat()).unwrap_err(),
        &["row 1048576, column `XFD`"],
    );
    has(&told("").unwrap_err(), &["sheet `S` is empty"]);
    let (_folder, path) = file("book.xlsx", workbook(&" ".repeat(300 << 20)));
    has(&read_path(&path, &options()).unwrap_err().to_string(), &["unpacks to more than 256 MiB"]);
    let (_folder, path) = file("book.ods", workbook(&head));
    has(&read_path(&path, &options()).unwrap_err().to_string(), &["not a sound ODS file"]);
    let (_folder, path) = file("book.xlsx", "a,b\n1,2\n");
    has(&read_path(&path, &options()).unwrap_err().to_string(), &["not a sound XLSX file"]);
}

fn several(folder: &Path, words: &[&str]) -> Result<dycausal_io::Reading, dycausal_io::Error> {
    let words: Vec<String> =
        words.iter().map(|word| folder.join(word).display().to_string()).collect();
    read_several(&find_sources(&words)?, &options())
}

#[test]
fn several_files_are_the_series_of_one_panel() {
    let (folder, first) = file("subject-1.csv", "time,a,b\n1,1,2\n2,3,4\n3,5,6\n");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("subject-2.csv", "time,b,a\n3,20,10\n4,40,30\n");
    let reading = several(folder.path(), &["subject-*.csv"]).unwrap();
    let panel = reading.panel;
    assert_eq!(panel.series_names(), ["subject-1", "subject-2"]);
    assert_eq!(
        (panel.names(), panel.steps(), panel.missing()),
        (&["a".to_owned(), "b".into()][..], 4, 6)
    );
    assert_eq!(panel.values()[[1, 2, 0]], 10.0);
    let same = several(folder.path(), &["subject-1.csv", "subject-2.csv"]).unwrap().panel;
    assert_eq!(bits(&same), bits(&panel));
    assert_eq!(find_sources(&[first.display().to_string()]).unwrap(), [Source::Path(first)]);
    write("subject-3.csv", "time,a,c\n1,1,2\n2,3,4\n");
    let message = several(folder.path(), &["subject-*.csv"]).unwrap_err().to_string();
    has(&message, &["subject-3.csv has a column `c`, which", "subject-1.csv has not"]);
    write("subject-3.csv", "time,a\n1,1\n2,3\n");
    let message = several(folder.path(), &["subject-*.csv"]).unwrap_err().to_string();
    has(&message, &["subject-3.csv has no column `b`"]);
    write("subject-3.csv", "a,b\n1,1\n2,3\n");
    let message = several(folder.path(), &["subject-*.csv"]).unwrap_err().to_string();
    has(&message, &["subject-3.csv", "times of different kinds"]);
    has(
        &several(folder.path(), &["object-*.csv"]).unwrap_err().to_string(),
        &["object-*.csv", "no file fits"],
    );
}

#[test]
fn files_without_times_begin_at_the_first_step() {
    let (folder, _) = file("x.csv", "a,b\n1,2\n3,4\n");
    std::fs::write(folder.path().join("y.csv.gz"), gzip(b"a,b\n1,2\n3,4\n5,6\n")).unwrap();
    let panel = several(folder.path(), &["x.csv", "y.csv.gz"]).unwrap().panel;
    assert_eq!(
        (panel.series_names(), panel.steps(), panel.length(0)),
        (&["x".to_owned(), "y".into()][..], 3, 2)
    );
}
