use jiff::civil::DateTime;

use super::*;

/// Dates as written, with their seconds.
fn dates(text: &[&str]) -> TimeIndex {
    let seconds = text.iter().map(|text| {
        let plain = text.split(['+', 'Z', '[']).next().unwrap_or(text).replace('/', "-");
        let moment: DateTime = plain.parse().unwrap();
        civil::seconds(moment).unwrap() - civil::offset(text).unwrap_or(0.0)
    });
    TimeIndex::Dates {
        seconds: seconds.collect(),
        text: text.iter().map(|t| (*t).into()).collect(),
    }
}

#[track_caller]
fn check(text: &[&str], step: Step, places: &[usize]) -> Grid {
    let grid = Grid::of(&dates(text)).unwrap();
    assert_eq!((grid.step, &grid.places[..]), (step, places), "{text:?}");
    grid
}

fn labels(times: &TimeIndex) -> Vec<String> {
    (0..times.len()).map(|step| times.label(step)).collect()
}

#[test]
fn calendars_are_even() {
    check(&["2024-01-01", "2024-02-01", "2024-03-01"], Step::Months(1), &[0, 1, 2]);
    check(
        &["2023-12-31", "2024-01-31", "2024-02-29", "2024-03-31"],
        Step::Months(1),
        &[0, 1, 2, 3],
    );
    // The last business day of each month.
    check(
        &["2024-02-29", "2024-03-28", "2024-04-30", "2024-05-31"],
        Step::Months(1),
        &[0, 1, 2, 3],
    );
    check(&["2023-10-01", "2024-01-01", "2024-04-01"], Step::Months(3), &[0, 1, 2]);
    check(&["2023-01-01", "2024-01-01", "2025-01-01"], Step::Months(12), &[0, 1, 2]);
    check(&["2024-01-01", "2024-01-08", "2024-01-15"], Step::Seconds(604_800.0), &[0, 1, 2]);
    // Weekly on Friday, but Thursday before a holiday.
    let weeks =
        ["2024-03-15", "2024-03-22", "2024-03-28", "2024-04-05", "2024-04-12", "2024-04-19"];
    check(&weeks, Step::Seconds(604_800.0), &[0, 1, 2, 3, 4, 5]);
}

#[test]
fn weekends_are_no_holes_and_holidays_are() {
    // 2024-12-25 was a Wednesday.
    let days = ["2024-12-20", "2024-12-23", "2024-12-24", "2024-12-26", "2024-12-27", "2024-12-30"];
    let grid = check(&days, Step::BusinessDay, &[0, 1, 2, 4, 5, 6]);
    assert_eq!(grid.gaps().collect::<Vec<_>>(), [Gap { before: 2, steps: 1 }]);
    assert_eq!(labels(&grid.complete(&dates(&days)))[3], "2024-12-25");
    // With a Saturday they are days.
    let days = ["2024-12-20", "2024-12-21", "2024-12-22", "2024-12-23"];
    check(&days, Step::Seconds(86_400.0), &[0, 1, 2, 3]);
}

#[test]
fn clocks_that_are_put_forward_stay_even() {
    let midnight = [
        "2024-03-30T00:00:00+01:00",
        "2024-03-31T00:00:00+01:00",
        "2024-04-01T00:00:00+02:00",
        "2024-04-03T00:00:00+02:00",
        "2024-04-04T00:00:00+02:00",
    ];
    let grid = check(&midnight, Step::Clock(86_400.0), &[0, 1, 2, 4, 5]);
    assert_eq!(labels(&grid.complete(&dates(&midnight)))[3], "2024-04-02T00:00:00+02:00");
    let hours =
        ["2024-03-31T01:00:00+01:00", "2024-03-31T03:00:00+02:00", "2024-03-31T04:00:00+02:00"];
    check(&hours, Step::Seconds(3600.0), &[0, 1, 2]);
}

#[test]
fn times_that_are_not_there_are_written_like_the_others() {
    for (text, expected) in [
        (&["2024/01/30", "2024/01/31", "2024/02/02", "2024/02/03"][..], "2024/02/01"),
        (&["2024-01-31 22:00", "2024-01-31 23:00", "2024-02-01 01:00"], "2024-02-01 00:00"),
        (
            &["2024-01-31T23:59:58.5Z", "2024-01-31T23:59:59.0Z", "2024-02-01T00:00:00.0Z"],
            "2024-01-31T23:59:59.5Z",
        ),
        (&["2023-12-31", "2024-01-31", "2024-03-31"], "2024-02-29"),
    ] {
        let times = dates(text);
        let all = Grid::of(&times).unwrap().complete(&times);
        assert_eq!(labels(&all)[2], expected);
        let TimeIndex::Dates { seconds, .. } = &all else { panic!() };
        assert!(seconds.is_sorted(), "{seconds:?}");
    }
}

#[test]
fn jitter_is_even_and_irregular_times_are_not() {
    let jitter = TimeIndex::Numbers(vec![0.0, 1.01, 1.99, 3.0, 53.2, 54.2]);
    let grid = Grid::of(&jitter).unwrap();
    assert_eq!((grid.exact, &grid.places[..]), (false, &[0, 1, 2, 3, 53, 54][..]));
    for irregular in
        [vec![0.0, 1.0, 2.5, 3.5], vec![0.0, 1.0, 3.0, 6.0, 10.0], vec![0.0, 1.0, 2.0, 2.5]]
    {
        assert_eq!(Grid::of(&TimeIndex::Numbers(irregular)), None);
    }
    // Visits on any day of the month are no months.
    assert_eq!(Grid::of(&dates(&["2024-01-03", "2024-02-28", "2024-03-11", "2024-04-19"])), None);
}

#[test]
fn steps_that_are_asked_for_hold_their_times() {
    let times =
        dates(&["2024-01-05 09:10", "2024-01-05 09:50", "2024-01-05 12:00", "2024-01-08 00:00"]);
    let hours = "1h".parse::<Every>().unwrap().bins(&times).unwrap();
    assert_eq!(hours.of_time, [0, 0, 1, 2]);
    assert_eq!(labels(&hours.times), ["2024-01-05 09:00", "2024-01-05 12:00", "2024-01-08 00:00"]);
    assert_eq!(hours.grid.places, [0, 3, 63]);
    let days = "1d".parse::<Every>().unwrap().bins(&times).unwrap();
    assert_eq!((days.grid.step, &days.grid.places[..]), (Step::BusinessDay, &[0, 1][..]));
    assert_eq!(labels(&days.times), ["2024-01-05", "2024-01-08"]);
    let weeks = "week".parse::<Every>().unwrap().bins(&times).unwrap();
    assert_eq!(labels(&weeks.times), ["2024-01-01", "2024-01-08"]);
    let quarters = "1quarter:sum".parse::<Every>().unwrap().bins(&times).unwrap();
    assert_eq!(labels(&quarters.times), ["2024-01-01"]);
    let numbers = TimeIndex::Numbers(vec![0.1, 0.3, 0.7, 1.2]);
    let bins = "0.1".parse::<Every>().unwrap().bins(&numbers).unwrap();
    assert_eq!(bins.grid.places, [0, 2, 6, 11]);
    assert!("0.1".parse::<Every>().unwrap().bins(&times).is_err());
    for wrong in ["", "h:median", "1m", "-1h", "0s", "0.5month", "1e9d", ":mean"] {
        assert!(wrong.parse::<Every>().is_err(), "{wrong}");
    }
}

#[test]
fn what_is_proposed_is_a_round_number() {
    let date = dates(&["2024-01-01"]);
    for (distance, expected) in [
        (3601.0, "1h:mean"),
        (895.0, "15min:mean"),
        (2_592_000.0, "1month:mean"),
        (0.02, "20ms:mean"),
    ] {
        assert_eq!(Every::near(&date, distance).to_string(), expected);
    }
    let number = TimeIndex::Numbers(vec![0.0]);
    assert_eq!(Every::near(&number, 0.0123).to_string(), "0.012:mean");
}

mod holes {
    use jiff::ToSpan;
    use jiff::civil::{DateTime, date};
    use proptest::prelude::*;

    use super::*;

    /// So many times from a start, one step after the other.
    fn course(kind: usize, start: i32, count: usize) -> Vec<String> {
        let first = date(2001, 1, 1).at(0, 0, 0, 0) + start.days();
        let month = first.date().first_of_month();
        let after = |n: usize| -> DateTime {
            let n = i64::try_from(n).unwrap();
            match kind {
                0 => first + n.hours(),
                1 => first + (7 * n).days(),
                2 => (month + n.months()).at(0, 0, 0, 0),
                3 => (month + n.months()).last_of_month().at(0, 0, 0, 0),
                4 => (month + (3 * n).months()).at(0, 0, 0, 0),
                _ => (month + n.years()).at(0, 0, 0, 0),
            }
        };
        let clock = |moment: DateTime| moment.to_string();
        let day = |moment: DateTime| moment.date().to_string();
        (0..count).map(|n| if kind == 0 { clock(after(n)) } else { day(after(n)) }).collect()
    }

    proptest! {
        /// What was taken out comes back, wherever one step is still the commonest.
        #[test]
        fn times_that_were_taken_out_come_back(
            kind in 0usize..6,
            start in 0i32..9000,
            there in prop::collection::vec(prop::bool::weighted(0.8), 8..60),
        ) {
            let all = course(kind, start, there.len());
            let last = there.len() - 1;
            let kept: Vec<usize> =
                (0..there.len()).filter(|n| there[*n] || *n == 0 || *n == last).collect();
            let single = kept.windows(2).filter(|pair| pair[1] - pair[0] == 1).count();
            prop_assume!(2 * single > kept.len());
            let text: Vec<&str> = kept.iter().map(|n| all[*n].as_str()).collect();
            let times = dates(&text);
            let grid = Grid::of(&times).unwrap();
            prop_assert_eq!(&grid.places, &kept);
            let complete = grid.complete(&times);
            prop_assert_eq!(labels(&complete), all.clone());
            let words: Vec<&str> = all.iter().map(String::as_str).collect();
            prop_assert_eq!(complete, dates(&words));
        }
    }
}
