//! `dycausal methods [NAME]`.

use std::fmt::Write;

use dycausal::{Method, Scope, find};

use crate::arguments::MethodsArguments;
use crate::failure::Failure;
use crate::screen;
use crate::table::{Side, Table};

/// Lists the methods, or the parameters of one.
pub fn run(arguments: &MethodsArguments) -> Result<(), Failure> {
    let methods = dycausal_baselines::all_methods();
    let chosen = match &arguments.name {
        Some(name) => vec![*find(&methods, name)?],
        None => methods,
    };
    if arguments.json {
        let listed: dycausal::Result<Vec<_>> = chosen.iter().map(Method::describe).collect();
        return screen::show_json(&listed?);
    }
    let text = match (&arguments.name, &chosen[..]) {
        (Some(_), [method]) => one(method)?,
        _ => all(&chosen),
    };
    screen::show(&text)
}

fn all(methods: &[Method]) -> String {
    let mut table = Table::new(&[
        ("method", Side::Left),
        ("finds", Side::Left),
        ("weights", Side::Left),
        ("bands", Side::Left),
        ("missing", Side::Left),
        ("knowledge", Side::Left),
        ("what it does", Side::Left),
    ]);
    for method in methods {
        let yes = |has: bool| if has { "yes" } else { "no" }.to_owned();
        let moves = if method.scope.time_varying { "move" } else { "fixed" };
        table.row([
            method.name.to_owned(),
            finds(method.scope).to_owned(),
            moves.to_owned(),
            yes(method.scope.inference),
            yes(method.scope.missing),
            knowledge(method.scope).to_owned(),
            method.summary.to_owned(),
        ]);
    }
    table.render() + "\nParameters of a method: dycausal methods NAME\n"
}

fn one(method: &Method) -> Result<String, Failure> {
    let defaults = method.defaults()?;
    let mut table = Table::new(&[
        ("parameter", Side::Left),
        ("default", Side::Right),
        ("range", Side::Left),
        ("purpose", Side::Left),
    ]);
    for parameter in method.parameters {
        let default = defaults.get(parameter.name).map(ToString::to_string).unwrap_or_default();
        table.row([
            parameter.name.into(),
            default,
            parameter.range.into(),
            parameter.purpose.into(),
        ]);
    }
    let mut text = format!("{}: {}\n", method.name, method.summary);
    let _ = writeln!(text, "finds {}\n", finds(method.scope));
    text += &table.render();
    let _ = write!(text, "\nSet one: dycausal fit DATA -o RUN --method {} --set ", method.name);
    text += method.parameters.first().map_or("", |p| p.name);
    Ok(text + "=VALUE\n")
}

fn knowledge(scope: Scope) -> &'static str {
    match (scope.knowledge, scope.periods) {
        (true, true) => "yes, also of periods",
        (true, false) => "yes",
        _ => "no",
    }
}

fn finds(scope: Scope) -> &'static str {
    match (scope.instantaneous, scope.lagged) {
        (true, true) => "instantaneous and lagged edges",
        (true, false) => "instantaneous edges",
        _ => "lagged edges",
    }
}
