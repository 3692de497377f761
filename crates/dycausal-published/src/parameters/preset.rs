//! Whose choices are taken where the paper's text and this implementation differ.

use dycausal::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Acyclic, DyCausal, Ends};

/// Whose choices are taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// What the parameters say.
    #[default]
    Ours,
    /// Those of the paper's text, wherever it tells them.
    Paper,
}

impl DyCausal {
    /// The method as the paper's text has it, wherever the text tells.
    pub fn paper() -> Self {
        Self { preset: Preset::Paper, ..Self::default() }
    }

    /// The parameters with what the preset stands for in its place.
    pub(crate) fn settled(&self) -> Self {
        match self.preset {
            Preset::Ours => self.clone(),
            Preset::Paper => Self {
                acyclic: Acyclic::Step,
                balance: false,
                bias: false,
                centre: false,
                ends: Ends::Dropped,
                hidden: 0,
                reach: 0.0,
                rolling: self.rolls(),
                unit_changes: false,
                ..self.clone()
            },
        }
    }

    /// Refuses parameters that were set against the preset.
    pub(crate) fn check_preset(&self) -> Result<()> {
        let fields = |method: &Self| match serde_json::to_value(method) {
            Ok(Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let (own, usual, said) = (fields(self), fields(&Self::default()), fields(&self.settled()));
        let against = own.iter().find(|(name, value)| {
            let (usual, said) = (usual.get(*name), said.get(*name));
            said != Some(value) && usual != Some(value)
        });
        match against {
            Some((name, value)) => {
                let said = said.get(name).unwrap_or(&Value::Null);
                let expected =
                    format!("{said}, as the preset `paper` has it, or the preset `ours`");
                Err(Error::parameter(name, value, expected))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_decides_and_does_not_hide_what_was_set() {
        let paper = DyCausal::paper();
        assert!(paper.check_preset().is_ok());
        assert_eq!((paper.settled().hidden, paper.settled().acyclic), (0, Acyclic::Step));
        assert_eq!(paper.settled().settled(), paper.settled());
        assert_eq!(DyCausal::default().settled(), DyCausal::default());
        let against = DyCausal { hidden: 8, ..paper.clone() }.check_preset().unwrap_err();
        assert!(against.to_string().contains("hidden"), "{against}");
        assert!(DyCausal { hidden: 0, sparsity: 0.2, ..paper }.check_preset().is_ok());
    }
}
