//! Sizes as people write them: 8GB, 512MiB, 1000000.

use std::str::FromStr;

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let refused = || format!("`{text}` is no size; expected such as 8GB, 512MiB or 1000000");
        let unit: f64 = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "b" => 1.0,
            "k" | "kb" => 1e3,
            "m" | "mb" => 1e6,
            "g" | "gb" => 1e9,
            "t" | "tb" => 1e12,
            "kib" => 1024.0,
            "mib" => 1_048_576.0,
            "gib" => 1_073_741_824.0,
            "tib" => 1_099_511_627_776.0,
            _ => return Err(refused()),
        };
        let number: f64 = number.parse().map_err(|_| refused())?;
        Ok(Self(dycausal::internals::memory::bytes(number * unit)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        assert_eq!("8GB".parse(), Ok(Size(8_000_000_000)));
        assert_eq!("1.5 GiB".parse(), Ok(Size(1_610_612_736)));
        assert_eq!("1000".parse(), Ok(Size(1000)));
        assert!("GB".parse::<Size>().is_err() && "8XB".parse::<Size>().is_err());
        assert!("-1".parse::<Size>().is_err());
    }
}
