//! Times as people have them: calendars, holes, irregular stamps, zones, orders of day and month.

use dycausal::calendar::Step;
use dycausal_io::{DateOrder, Error, ReadOptions};

use crate::{csv, long, noted, options, said};

/// A table with one variable that counts, at these times.
fn at(times: &[&str]) -> String {
    let rows = times.iter().enumerate().map(|(row, time)| format!("{time},{row}\n"));
    format!("date,a\n{}", rows.collect::<String>())
}

/// The step in words, the labels, and which rows are there.
fn read(times: &[&str], options: &ReadOptions) -> (String, Vec<String>, Vec<bool>) {
    let panel = csv(&at(times), options).unwrap().panel;
    let step = panel.times().step().map(|step| step.to_string()).unwrap_or_default();
    let labels = (0..panel.steps()).map(|step| panel.times().label(step)).collect();
    let there = panel.one_series(0).column(0).iter().map(|x| !x.is_nan()).collect();
    (step, labels, there)
}

fn told(times: &[&str], options: &ReadOptions) -> String {
    said(&csv(&at(times), options).unwrap_err())
}

#[track_caller]
fn has(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
}

#[test]
fn months_quarters_years_and_weeks_are_even() {
    for (times, step) in [
        (&["2023-12", "2024-01", "2024-02", "2024-03"][..], "month"),
        (&["2023-12-31", "2024-01-31", "2024-02-29", "2024-03-31"], "month"),
        (&["2023Q4", "2024Q1", "2024Q2"], "quarter"),
        (&["2022-06-30", "2023-06-30", "2024-06-30"], "year"),
        (&["2023-W52", "2024-W01", "2024-W02"], "week"),
        (&["2024M01", "2024M02", "2024M03", "2024M04"], "month"),
        (&["20240227", "20240228", "20240229", "20240301"], "day"),
        (&["202311", "202312", "202401", "202402"], "month"),
        (&["31/12/2023", "31/01/2024", "29/02/2024"], "month"),
    ] {
        let (found, labels, there) = read(times, &options());
        assert_eq!(found, step, "{times:?}");
        assert_eq!(labels, times);
        assert!(there.iter().all(|there| *there), "{times:?}");
    }
}

#[test]
fn a_hole_is_rows_that_are_missing() {
    let times = ["2024-01-30 22:00", "2024-01-30 23:00", "2024-01-31 02:00", "2024-01-31 03:00"];
    let reading = csv(&at(&times), &options()).unwrap();
    assert!(
        noted(&reading, "2 of 6 steps (every hour) are not there, in 1 hole"),
        "{:?}",
        reading.notes
    );
    let (step, labels, there) = read(&times, &options());
    assert_eq!(step, "hour");
    assert_eq!(there, [true, true, false, false, true, true]);
    assert_eq!(labels[2..4], ["2024-01-31 00:00", "2024-01-31 01:00"]);
    let holes = reading.panel.holes();
    assert_eq!(holes.len(), 1);
    assert_eq!((holes[0].steps, holes[0].to.as_str()), (2, "2024-01-31 01:00"));
}

#[test]
fn a_holiday_is_a_hole_and_a_weekend_is_not() {
    let times =
        ["2024-12-20", "2024-12-23", "2024-12-24", "2024-12-26", "2024-12-27", "2024-12-30"];
    let (step, labels, there) = read(&times, &options());
    assert_eq!(step, "business day");
    assert_eq!(there.iter().filter(|there| !**there).count(), 1);
    assert_eq!((labels[3].as_str(), there[3]), ("2024-12-25", false));
}

#[test]
fn a_month_that_is_not_there_is_written_like_the_others() {
    let quarters = read(&["2023-Q1", "2023-Q2", "2023-Q4", "2024-Q1"], &options());
    assert_eq!(quarters.1[2], "2023-Q3");
    let day_first = read(&["31.01.2024", "29.02.2024", "31.03.2024", "31.05.2024"], &options());
    assert_eq!(day_first.1[3], "30.04.2024");
    let american = read(&["12/30/2023", "12/31/2023", "1/2/2024", "1/3/2024"], &options());
    assert_eq!(american.1[2], "1/1/2024");
}

#[test]
fn a_clock_that_is_put_forward_has_no_hole() {
    let days = ["2024-03-30T00:00+01:00", "2024-03-31T00:00+01:00", "2024-04-01T00:00+02:00"];
    let (step, labels, there) = read(&days, &options());
    assert_eq!((step.as_str(), labels.len()), ("day", 3));
    assert!(there.iter().all(|there| *there));
    let zone = ReadOptions { zone: Some("Europe/Berlin".into()), ..options() };
    let hours = ["2024-03-31 00:00", "2024-03-31 01:00", "2024-03-31 03:00", "2024-03-31 04:00"];
    assert_eq!(read(&hours, &zone).2, [true; 4]);
    assert_eq!(read(&hours, &options()).2.len(), 5);
    let back = ["2024-10-27 01:00", "2024-10-27 02:00", "2024-10-27 02:00", "2024-10-27 03:00"];
    let (step, labels, _) = read(&back, &zone);
    assert_eq!((step.as_str(), labels.len()), ("hour", 4));
    assert_eq!(labels[1..3], ["2024-10-27 02:00+02:00", "2024-10-27 02:00+01:00"]);
    has(&told(&["2024-03-31 01:30", "2024-03-31 02:30"], &zone), &["line 3", "exist in the zone"]);
    let nowhere = ReadOptions { zone: Some("Europe/Nowhere".into()), ..options() };
    has(&told(&hours, &nowhere), &["`zone` is Europe/Nowhere", "Europe/Berlin"]);
}

#[test]
fn both_hours_of_a_clock_put_back_belong_to_each_series() {
    let zone = ReadOptions { zone: Some("Europe/Berlin".into()), ..long("id", "time") };
    let times = ["01:00", "02:00", "02:00", "03:00"].map(|time| format!("2024-10-27 {time}"));
    let rows = times.iter().flat_map(|time| ["x", "y"].map(|id| format!("{id},{time},1\n")));
    let text = format!("id,time,a\n{}", rows.collect::<String>());
    let panel = csv(&text, &zone).unwrap().panel;
    assert_eq!((panel.steps(), panel.missing()), (4, 0));
}

#[test]
fn a_year_is_a_time() {
    let panel =
        csv("year,gdp\n2001,1\n2002,2\n2005,3\n2006,4\n2007,5\n", &options()).unwrap().panel;
    assert_eq!((panel.names(), panel.steps()), (&["gdp".to_owned()][..], 7));
    assert_eq!(panel.times().label(3), "2004");
    assert_eq!(panel.times().step(), Some(Step::Number(1.0)));
    let parts = csv("year,month,a\n2001,1,2\n2001,2,3\n", &options()).unwrap().panel;
    assert_eq!(parts.names(), ["year", "month", "a"]);
}

#[test]
fn irregular_times_are_refused_with_what_to_do() {
    let times = ["2024-01-01 00:00", "2024-01-01 01:03", "2024-01-01 01:55", "2024-01-01 03:20"];
    let message = told(&times, &options());
    has(
        &message,
        &[
            "column `date`: times are not even",
            "even steps, 1h:mean",
            "(every=1h:mean, time=)",
            "(line 3)",
        ],
    );
    let numbers = csv("t,a\n0,1\n0.01,2\n0.013,3\n0.0231,4\n", &options()).unwrap_err();
    has(&said(&numbers), &["every=0.01:mean"]);
    assert!(numbers.is_input());
}

#[test]
fn steps_that_are_asked_for_take_the_mean_the_last_or_the_sum() {
    let text = "date,a,b\n2024-01-01 00:10,1,1\n2024-01-01 00:50,3,NA\n2024-01-01 03:00,5,7\n";
    for (every, expected) in [("1h", [2.0, 5.0]), ("1h:last", [3.0, 5.0]), ("1h:sum", [4.0, 5.0])] {
        let asked = ReadOptions { every: Some(every.parse().unwrap()), ..options() };
        let panel = csv(text, &asked).unwrap().panel;
        let values = panel.one_series(0);
        assert_eq!((panel.steps(), values[[0, 0]], values[[3, 0]]), (4, expected[0], expected[1]));
        assert_eq!((values[[0, 1]], values[[1, 0]].is_nan()), (1.0, true));
        assert_eq!(panel.times().label(1), "2024-01-01 01:00");
    }
    let daily = ReadOptions { every: Some("1d:sum".parse().unwrap()), ..long("id", "time") };
    let text = "id,time,a\nx,2024-01-02 09:00,1\ny,2024-01-01 08:00,2\nx,2024-01-02 07:00,4\n";
    let panel = csv(text, &daily).unwrap().panel;
    assert_eq!(panel.values()[[0, 1, 0]], 5.0);
    assert_eq!(panel.times().label(0), "2024-01-01");
    let wrong = ReadOptions { every: Some("2".parse().unwrap()), ..options() };
    has(&told(&["2024-01-01", "2024-01-02"], &wrong), &["`every` is 2:mean", "times are dates"]);
    has(&csv("a,b\n1,2\n3,4\n", &wrong).unwrap_err().to_string(), &["`every` does not apply"]);
}

#[test]
fn holes_beyond_all_measure_are_refused() {
    let message = told(&["2024-01-06", "2024-01-07", "2204-01-08"], &options());
    has(&message, &["3 times make 65746 steps of day", "`2024-01-07` and `2204-01-08`"]);
    let asked = ReadOptions { every: Some("1ms".parse().unwrap()), ..options() };
    assert!(matches!(
        csv(&at(&["2024-01-01", "2024-06-02"]), &asked),
        Err(Error::TooManyHoles { .. })
    ));
    assert_eq!(csv("t,a\n-1e308,1\n0,2\n1e308,3\n", &options()).unwrap().panel.steps(), 3);
    assert!(csv("t,a\n1,1\n2,2\n1e300,3\n", &options()).is_err());
}

#[test]
fn the_order_of_day_and_month_is_found_or_asked_for() {
    let day = |order: DateOrder| ReadOptions { dates: Some(order), ..options() };
    let both = ["03/04/2021", "04/04/2021", "05/04/2021"];
    has(
        &told(&both, &options()),
        &["line 2", "`03/04/2021`", "(dates=day-first, dates=month-first)"],
    );
    assert_eq!(read(&both, &day(DateOrder::DayFirst)).0, "day");
    assert_eq!(read(&both, &day(DateOrder::MonthFirst)).0, "month");
    let told_apart = ["11/04/2021", "12/04/2021", "13/04/2021"];
    assert_eq!(read(&told_apart, &options()).0, "day");
    has(&told(&told_apart, &day(DateOrder::MonthFirst)), &["line 4", "month-first"]);
    has(
        &told(&["13/04/2021", "04/14/2021"], &options()),
        &["line 3", "`04/14/2021`", "`13/04/2021`"],
    );
    has(&told(&["32/13/2021", "01/01/2021"], &options()), &["line 2", "found `32/13/2021`"]);
    let reading = csv(&at(&told_apart), &options()).unwrap();
    assert!(noted(&reading, "day-first"), "{:?}", reading.notes);
}
