//! Which variables a name stands for.

use super::glob::{is_pattern, matches};
use super::statements::{Name, Statements};
use crate::error::{Result, nearest};

/// The names of the data, and what they are called together.
pub(super) struct Names<'a> {
    said: &'a Statements,
    variables: &'a [String],
    groups: Vec<(&'a str, Vec<usize>)>,
}

/// Variables that were meant, and whether one of them was named as itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meant {
    pub variables: Vec<usize>,
    pub alone: bool,
}

impl<'a> Names<'a> {
    /// Looks all groups up.
    pub fn new(said: &'a Statements, variables: &'a [String]) -> Result<Self> {
        let mut names = Self { said, variables, groups: Vec::new() };
        for (group, members) in &said.groups {
            if variables.contains(&group.text) {
                let what =
                    format!("the group `{0}` has the name of the variable `{0}`", group.text);
                return Err(said.refused([group.line], what));
            }
            let found = names.all(members)?;
            names.groups.push((&group.text, found.variables));
        }
        Ok(names)
    }

    /// The variables of several names, each once, in increasing order.
    pub fn all(&self, names: &[Name]) -> Result<Meant> {
        let mut variables = Vec::new();
        for name in names {
            variables.extend(self.one(name)?);
        }
        variables.sort_unstable();
        variables.dedup();
        let named = |name: &Name| self.variables.contains(&name.text);
        Ok(Meant { alone: variables.len() == 1 && names.iter().all(named), variables })
    }

    /// The members of a group.
    pub fn group(&self, name: &Name) -> Result<&[usize]> {
        let found = self.groups.iter().find(|group| group.0 == name.text);
        found.map(|group| group.1.as_slice()).ok_or_else(|| {
            let near = nearest(&name.text, self.groups.iter().map(|group| group.0));
            let what = format!("there is no group `{}`{}", name.text, hint(near));
            self.said.refused([name.line], what)
        })
    }

    /// What a variable is called.
    pub fn of(&self, variable: usize) -> &str {
        &self.variables[variable]
    }

    fn one(&self, name: &Name) -> Result<Vec<usize>> {
        if let Some(variable) = self.variables.iter().position(|known| *known == name.text) {
            return Ok(vec![variable]);
        }
        if let Some((_, members)) = self.groups.iter().find(|group| group.0 == name.text) {
            return Ok(members.clone());
        }
        if is_pattern(&name.text) {
            let fits = |v: &usize| matches(&name.text, &self.variables[*v]);
            let found: Vec<usize> = (0..self.variables.len()).filter(fits).collect();
            if found.is_empty() {
                let what = format!("no variable is called as `{}` says", name.text);
                return Err(self.said.refused([name.line], what));
            }
            return Ok(found);
        }
        let groups = self.groups.iter().map(|group| group.0);
        let near = nearest(&name.text, self.variables.iter().map(String::as_str).chain(groups));
        let what = format!("there is no variable `{}`{}", name.text, hint(near));
        Err(self.said.refused([name.line], what))
    }
}

fn hint(near: Option<String>) -> String {
    near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default()
}
