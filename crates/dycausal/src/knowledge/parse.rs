//! From values with lines to statements; what is not understood is refused with its line.

use super::lags::Lags;
use super::statements::{EdgeStatement, Name, Statements};
use super::written::{Content, Written};
use crate::error::{Error, Result, nearest};

/// The keys of a file.
const KEYS: [&str; 9] =
    ["forbid", "require", "tiers", "order", "roots", "sinks", "own_lags_only", "groups", "allow"];
/// The keys of an edge.
const EDGE: [&str; 5] = ["from", "to", "lag", "since", "until"];

/// Reads all statements.
pub(super) fn statements(source: &str, written: &Written) -> Result<Statements> {
    let read = Reader { source };
    let mut all = Statements { source: source.to_owned(), ..Statements::default() };
    for (key, value) in read.table(written, "the whole", &KEYS)? {
        match key.as_str() {
            "forbid" => all.edges.extend(read.edges(value, key, false)?),
            "require" => all.edges.extend(read.edges(value, key, true)?),
            "tiers" => all.tiers = read.tiers(value, key)?,
            "order" => all.order = read.tiers(value, key)?,
            "roots" => all.roots = read.names(value, key)?,
            "sinks" => all.sinks = read.names(value, key)?,
            "own_lags_only" => all.own_lags_only = read.names(value, key)?,
            "groups" => all.groups = read.groups(value)?,
            _ => all.allowed = read.allowed(value)?,
        }
    }
    Ok(all)
}

/// Reads values of one source.
struct Reader<'a> {
    source: &'a str,
}

impl Reader<'_> {
    fn refused<T>(&self, at: &Written, what: String) -> Result<T> {
        Err(Error::knowledge(self.source, [at.line], what))
    }

    /// The entries of a table that has only these keys.
    fn table<'w>(
        &self,
        written: &'w Written,
        what: &str,
        keys: &[&str],
    ) -> Result<&'w [(String, Written)]> {
        let Content::Table(entries) = &written.content else {
            let found = written.content.kind();
            return self.refused(written, format!("{what} is {found}; expected a table"));
        };
        let unknown = |entry: &&(String, Written)| !keys.contains(&entry.0.as_str());
        if let Some((key, value)) = entries.iter().find(unknown).filter(|_| !keys.is_empty()) {
            let near = nearest(key, keys.iter().copied());
            let hint = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            let known = keys.join(", ");
            return self.refused(value, format!("{what} has no `{key}`{hint}; it has: {known}"));
        }
        Ok(entries)
    }

    fn list<'w>(&self, written: &'w Written, what: &str) -> Result<&'w [Written]> {
        match &written.content {
            Content::List(values) => Ok(values),
            other => {
                self.refused(written, format!("`{what}` is {}; expected a list", other.kind()))
            }
        }
    }

    /// One name or a list of them, at least one.
    fn names(&self, written: &Written, what: &str) -> Result<Vec<Name>> {
        match &written.content {
            Content::Text(_) => Ok(vec![self.name(written, what)?]),
            Content::List(values) if !values.is_empty() => {
                values.iter().map(|value| self.name(value, what)).collect()
            }
            other => {
                let found =
                    if matches!(other, Content::List(_)) { "empty".into() } else { other.kind() };
                self.refused(
                    written,
                    format!("`{what}` is {found}; expected a name or a list of names"),
                )
            }
        }
    }

    fn name(&self, written: &Written, what: &str) -> Result<Name> {
        match &written.content {
            Content::Text(text) => Ok(Name { text: text.clone(), line: written.line }),
            other => {
                self.refused(written, format!("`{what}` has {}; expected a name", other.kind()))
            }
        }
    }

    fn tiers(&self, written: &Written, what: &str) -> Result<Vec<Vec<Name>>> {
        let tiers = self.list(written, what)?;
        if tiers.len() < 2 {
            let expected = "expected at least two lists of names, the earliest first";
            return self.refused(written, format!("`{what}` has {}; {expected}", tiers.len()));
        }
        tiers.iter().map(|tier| self.names(tier, what)).collect()
    }

    fn groups(&self, written: &Written) -> Result<Vec<(Name, Vec<Name>)>> {
        let group = |(key, value): &(String, Written)| {
            let name = Name { text: key.clone(), line: value.line };
            Ok((name, self.names(value, key)?))
        };
        self.table(written, "`groups`", &[])?.iter().map(group).collect()
    }

    fn allowed(&self, written: &Written) -> Result<Vec<(Name, Name)>> {
        let mut pairs = Vec::new();
        for entry in self.list(written, "allow")? {
            let fields = self.table(entry, "`allow`", &["from", "to"])?;
            let (from, to) = (self.ends(fields, entry, "from")?, self.ends(fields, entry, "to")?);
            for a in &from {
                pairs.extend(to.iter().map(|b| (a.clone(), b.clone())));
            }
        }
        Ok(pairs)
    }

    fn edges(&self, written: &Written, what: &str, required: bool) -> Result<Vec<EdgeStatement>> {
        self.list(written, what)?.iter().map(|entry| self.edge(entry, what, required)).collect()
    }

    fn edge(&self, entry: &Written, what: &str, required: bool) -> Result<EdgeStatement> {
        let fields = self.table(entry, &format!("`{what}`"), &EDGE)?;
        let field = |key: &str| fields.iter().find(|field| field.0 == key).map(|field| &field.1);
        let lags = match field("lag") {
            Some(lag) => self.lags(lag, required)?,
            None if required => {
                let expected =
                    "say at which lag the edge is required, as in `lag = 0` or `lag = [1, 2]`";
                return self.refused(entry, format!("`{what}` without a lag; {expected}"));
            }
            None => Lags::ALL,
        };
        let time = |key: &str| field(key).map(|value| self.time(value, key)).transpose();
        Ok(EdgeStatement {
            required,
            from: self.ends(fields, entry, "from")?,
            to: self.ends(fields, entry, "to")?,
            lags,
            since: time("since")?,
            until: time("until")?,
            line: entry.line,
        })
    }

    fn ends(&self, fields: &[(String, Written)], entry: &Written, key: &str) -> Result<Vec<Name>> {
        match fields.iter().find(|field| field.0 == key) {
            Some((_, value)) => self.names(value, key),
            None => self.refused(entry, format!("an edge without `{key}`; expected a name")),
        }
    }

    fn time(&self, written: &Written, key: &str) -> Result<Name> {
        let text = match &written.content {
            Content::Text(text) => text.clone(),
            Content::Number(number) => number.to_string(),
            other => {
                return self
                    .refused(written, format!("`{key}` is {}; expected a time", other.kind()));
            }
        };
        Ok(Name { text, line: written.line })
    }

    fn lags(&self, written: &Written, required: bool) -> Result<Lags> {
        match &written.content {
            Content::List(values) if !values.is_empty() => {
                values.iter().try_fold(Lags::NONE, |all, value| Ok(all.with(self.lag(value)?)))
            }
            Content::Text(word) if word == "all" && !required => Ok(Lags::ALL),
            _ => self.lag(written),
        }
    }

    fn lag(&self, written: &Written) -> Result<Lags> {
        let whole = match &written.content {
            Content::Number(number) => (0..=Lags::LONGEST).find(|lag| *lag as f64 == *number),
            _ => None,
        };
        if let Some(lag) = whole {
            Ok(Lags::one(lag))
        } else {
            let (found, most) = (written.content.kind(), Lags::LONGEST);
            let expected = format!("a whole number from 0 to {most}, or a list of such");
            self.refused(written, format!("`lag` is {found}; expected {expected}"))
        }
    }
}
