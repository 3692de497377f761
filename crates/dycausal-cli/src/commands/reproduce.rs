//! `dycausal reproduce NAME`.

use std::path::Path;
use std::thread::available_parallelism;

use dycausal::Run;
use dycausal_lab::battery::{Battery, Request, batteries, run_battery, write_battery};
use dycausal_lab::real;
use dycausal_lab::reproduce::{Experiment, Part, experiment, experiments, reproduce, results};
use dycausal_lab::study::Stamp;
use serde_json::json;

use crate::arguments::ReproduceArguments;
use crate::failure::Failure;
use crate::plan::assignment;
use crate::table::{Side, Table};
use crate::{interrupt, progress, screen};

/// Lists the experiments, runs one or all, or puts the page of results together.
pub fn run(arguments: &ReproduceArguments) -> Result<(), Failure> {
    let battery = batteries().iter().find(|battery| battery.name == arguments.name);
    if let Some(battery) = battery {
        return honesty(battery, arguments);
    }
    if !arguments.set.is_empty() {
        return Err(Failure::input(
            "--set: only a battery takes it; experiments say what they set",
        ));
    }
    match arguments.name.as_str() {
        "list" => list(arguments.json),
        "all" => {
            for experiment in experiments()? {
                one(&experiment, arguments)?;
            }
            on_recorded_data(arguments)
        }
        "real" => on_recorded_data(arguments),
        "results" => pages(arguments),
        name => one(&known(name)?, arguments),
    }
}

fn known(name: &str) -> Result<Experiment, Failure> {
    let others = batteries().iter().map(|battery| battery.name).collect::<Vec<_>>().join(", ");
    let others = format!("or a battery: {others}; or list, all, real, results");
    experiment(name).map_err(|error| Failure::from(error).followed_by(others))
}

fn list(as_json: bool) -> Result<(), Failure> {
    let all = experiments()?;
    if as_json {
        let entry = |e: &Experiment| {
            let settings: Vec<&str> = e.settings.iter().map(|s| s.name.as_str()).collect();
            let rows: Vec<&str> = e.rows.iter().map(|r| r.name.as_str()).collect();
            json!({ "name": e.name, "title": e.title, "paper": e.paper, "settings": settings, "methods": rows })
        };
        let battery = |b: &Battery| {
            let data: Vec<String> = b.conditions().into_iter().map(|c| c.name).collect();
            json!({ "name": b.name, "title": b.title, "about": b.summary, "settings": data })
        };
        let listed = all.iter().map(entry).chain(batteries().iter().map(battery));
        return screen::show_json(&listed.collect::<Vec<_>>());
    }
    let mut table = Table::new(&[
        ("experiment", Side::Left),
        ("what it is about", Side::Left),
        ("in the paper", Side::Left),
        ("minutes", Side::Right),
    ]);
    for experiment in all {
        let place = if experiment.paper.is_empty() { "beyond it".into() } else { experiment.paper };
        let minutes = format!("{:.0}", experiment.full.minutes.ceil());
        table.row([experiment.name, experiment.title, place, minutes]);
    }
    let real = ["real", "Recorded data with a known truth", "Table A4", ""].map(String::from);
    table.row(real);
    let mut honesty = Table::new(&[("battery", Side::Left), ("what it measures", Side::Left)]);
    for battery in batteries() {
        honesty.row([battery.name.into(), battery.summary.into()]);
    }
    let how = "\nMinutes: in full, estimated, on two cores. Run one: dycausal reproduce NAME [--quick]; all experiments: dycausal reproduce all [--quick]\n";
    screen::show(&(table.render() + "\n" + &honesty.render() + how))
}

fn begin(arguments: &ReproduceArguments) -> Result<Run, Failure> {
    let run = Run::new(0).with_progress(progress::bar()).with_cancel(interrupt::heed());
    Ok(match arguments.threads {
        Some(threads) => run.with_threads(threads)?,
        None => run,
    })
}

/// What to say to one who interrupts.
fn kept(failure: Failure, output: &Path) -> Failure {
    if failure.is_interruption() {
        let folder = output.display();
        return failure.followed_by(format!(
            "what is finished is kept in {folder}: the same command goes on"
        ));
    }
    failure
}

fn one(experiment: &Experiment, arguments: &ReproduceArguments) -> Result<(), Failure> {
    let part = Part {
        quick: arguments.quick,
        seeds: arguments.seeds,
        first_seed: arguments.first_seed,
        methods: arguments.methods.clone(),
        settings: arguments.settings.clone(),
        finished: arguments.finished,
    };
    let mut run = begin(arguments)?;
    let written = reproduce(experiment, &part, &arguments.output, &stamp(arguments), &mut run);
    run.finish();
    let written = written.map_err(|error| kept(error.into(), &arguments.output))?;
    let title = format!("{} ({})\n", experiment.title, experiment.name);
    tell(arguments.json, &title, &written.table, &written.files)
}

/// Runs a battery: whether what is listed can be trusted.
fn honesty(battery: &'static Battery, arguments: &ReproduceArguments) -> Result<(), Failure> {
    let request = Request {
        quick: arguments.quick,
        seeds: arguments.seeds,
        first_seed: arguments.first_seed,
        methods: arguments.methods.clone(),
        conditions: arguments.settings.clone(),
        set: arguments.set.iter().map(|text| assignment(text)).collect::<Result<_, _>>()?,
    };
    let mut run = begin(arguments)?;
    let findings = run_battery(battery, &request, &mut run);
    run.finish();
    let written = write_battery(&findings?, &arguments.output, &stamp(arguments))?;
    let title = format!("{} ({})\n", battery.title, battery.name);
    tell(arguments.json, &title, &written.table, &written.files)
}

fn on_recorded_data(arguments: &ReproduceArguments) -> Result<(), Failure> {
    let spec = real::real_spec()?;
    let cases = real::cases(&arguments.data)?;
    let request = real::RealRequest {
        quick: arguments.quick,
        methods: arguments.methods.clone(),
        groups: arguments.groups.clone(),
    };
    let mut run = begin(arguments)?;
    let report = real::run_real(&spec, &cases, &request, &arguments.output, &mut run);
    run.finish();
    let report = report.map_err(|error| kept(error.into(), &arguments.output))?;
    let shown = (arguments.diagonal, arguments.sources);
    let written = real::write_real(&report, &arguments.output, &stamp(arguments), shown)?;
    tell(arguments.json, "Recorded data (real)\n", &written.table, &written.files)
}

fn tell(
    as_json: bool,
    title: &str,
    table: &str,
    files: &[std::path::PathBuf],
) -> Result<(), Failure> {
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    if as_json {
        return screen::show_json(
            &json!({ "title": title.trim(), "table": table, "files": names }),
        );
    }
    screen::show(&format!("\n{title}{table}\nwritten: {}\n", names.join(", ")))
}

/// Makes the pages again from the tables in a folder, and the one above that sums them up.
fn pages(arguments: &ReproduceArguments) -> Result<(), Failure> {
    let folder = &arguments.output;
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(Failure::input(format!(
            "{folder}: there is no such folder of tables; run some first"
        )));
    }
    let files = results(folder, &stamp(arguments))?;
    tell(arguments.json, "Results\n", "", &files)
}

fn stamp(arguments: &ReproduceArguments) -> Stamp {
    Stamp {
        date: jiff::Zoned::now().date().to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        machine: arguments.machine.clone().unwrap_or_else(machine),
    }
}

/// Cores and memory, as far as they can be had.
fn machine() -> String {
    let cores = available_parallelism().map_or(1, std::num::NonZero::get);
    let memory = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemTotal"))?.to_owned();
        let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(format!(", {:.0} GiB", kilobytes / 1024.0 / 1024.0))
    });
    let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    cores + &memory.unwrap_or_default()
}
