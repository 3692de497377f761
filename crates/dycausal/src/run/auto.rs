//! Parameters that the data may decide.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

/// A value, or `auto`: whatever the data ask for. For a number, `none` is 0.
///
/// ```
/// use dycausal::Auto;
///
/// let read = |text: &str| serde_json::from_str::<Auto<usize>>(text);
/// assert_eq!(read("3")?, Auto::Value(3));
/// assert_eq!(read("\"auto\"")?, Auto::Auto);
/// assert_eq!(read("\"none\"")?, Auto::Value(0));
/// assert!(read("-1").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Auto<T> {
    /// As the data ask for.
    #[default]
    Auto,
    /// This.
    Value(T),
}

impl<T: Copy> Auto<T> {
    /// The value; `None` for `auto`.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Auto => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<T: fmt::Display> fmt::Display for Auto<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => write!(f, "auto"),
            Self::Value(value) => write!(f, "{value}"),
        }
    }
}

impl<T> From<T> for Auto<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T: Serialize> Serialize for Auto<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::Value(value) => value.serialize(serializer),
        }
    }
}

impl<'de, T: TryFrom<u64>> Deserialize<'de> for Auto<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Word<T>(PhantomData<T>);
        impl<T: TryFrom<u64>> Visitor<'_> for Word<T> {
            type Value = Auto<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number, `none` or `auto`")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Auto<T>, E> {
                match word {
                    "auto" => Ok(Auto::Auto),
                    "none" => self.visit_u64(0),
                    _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
                }
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Auto<T>, E> {
                let value = T::try_from(number);
                value.map(Auto::Value).map_err(|_| {
                    E::invalid_value(de::Unexpected::Unsigned(number), &"a smaller number")
                })
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Auto<T>, E> {
                let positive = u64::try_from(number)
                    .map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))?;
                self.visit_u64(positive)
            }
        }
        deserializer.deserialize_any(Word(PhantomData))
    }
}
