//! How tables, dates and times are to be read: arguments of every command that reads data.

use clap::Args;
use dycausal::calendar::Every;
use dycausal_io::{DateOrder, Decimal, ReadOptions};

/// Tables, dates and times as people write them.
#[derive(Args, Default)]
pub struct TableArguments {
    /// Column that names the variable of each row (one row per value; with --value)
    #[arg(long, value_name = "COLUMN")]
    pub variable: Option<String>,
    /// Column that holds the values (with --variable)
    #[arg(long, value_name = "COLUMN")]
    pub value: Option<String>,
    /// Bring irregular times to even steps: 15min, 1h, 1d, 1month, …, with :mean, :last or :sum
    #[arg(long, value_name = "WIDTH[:RULE]")]
    pub every: Option<Every>,
    /// How dates such as 03/04/2021 are written: day-first or month-first
    #[arg(long, value_name = "ORDER")]
    pub dates: Option<DateOrder>,
    /// Time zone of dates that name none, such as Europe/Berlin
    #[arg(long, value_name = "ZONE")]
    pub zone: Option<String>,
    /// What marks the fraction of a number: point or comma [default: found out]
    #[arg(long, value_name = "MARK")]
    pub decimal: Option<Decimal>,
    /// Sheet of a spreadsheet, by name or number
    #[arg(long, value_name = "SHEET")]
    pub sheet: Option<String>,
}

impl TableArguments {
    /// The same options with what these arguments say.
    pub fn fill(&self, options: ReadOptions) -> ReadOptions {
        ReadOptions {
            variable: self.variable.clone(),
            value: self.value.clone(),
            every: self.every,
            dates: self.dates,
            zone: self.zone.clone(),
            decimal: self.decimal,
            sheet: self.sheet.clone(),
            ..options
        }
    }
}
