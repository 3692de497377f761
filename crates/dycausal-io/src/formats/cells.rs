//! The cells of an Arrow column as numbers, texts or ticks of a clock.
//!
//! `None` for a column means that its type has no such reading; for a cell that it is null.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, StringArrayType};
use arrow_schema::{DataType, TimeUnit};

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// A column of numbers.
pub(super) fn numbers(array: &dyn Array) -> Option<Vec<Option<f64>>> {
    let scaled = |scale: i8| 10_f64.powi(-i32::from(scale));
    Some(match array.data_type() {
        DataType::Null => vec![None; array.len()],
        DataType::Float64 => each::<Float64Type, _>(array, |x| x),
        DataType::Float32 => each::<Float32Type, _>(array, f64::from),
        DataType::Float16 => each::<Float16Type, _>(array, f64::from),
        DataType::UInt64 => each::<UInt64Type, _>(array, |x| x as f64),
        DataType::Decimal32(_, scale) => {
            each::<Decimal32Type, _>(array, |x| f64::from(x) * scaled(*scale))
        }
        DataType::Decimal64(_, scale) => {
            each::<Decimal64Type, _>(array, |x| x as f64 * scaled(*scale))
        }
        DataType::Decimal128(_, scale) => {
            each::<Decimal128Type, _>(array, |x| x as f64 * scaled(*scale))
        }
        _ => return whole(array, |x| x as f64),
    })
}

/// A column of names or times as text.
pub(super) fn texts(array: &dyn Array) -> Option<Vec<Option<String>>> {
    match array.data_type() {
        DataType::Utf8 => Some(owned(array.as_string::<i32>())),
        DataType::LargeUtf8 => Some(owned(array.as_string::<i64>())),
        DataType::Utf8View => Some(owned(array.as_string_view())),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let (keys, values) = (dictionary.keys(), texts(dictionary.values().as_ref())?);
            let places = dictionary.normalized_keys().into_iter().enumerate();
            let cell = |(row, key): (usize, usize)| {
                keys.is_valid(row).then(|| values.get(key).cloned().flatten()).flatten()
            };
            Some(places.map(cell).collect())
        }
        DataType::UInt64 => Some(each::<UInt64Type, _>(array, |x| x.to_string())),
        DataType::Float16 | DataType::Float32 | DataType::Float64 => {
            let cells = numbers(array)?.into_iter();
            Some(cells.map(|cell| cell.map(|x| x.to_string())).collect())
        }
        _ => whole(array, |x| x.to_string()),
    }
}

/// A column of dates or times as ticks, so many to a second.
pub(super) fn ticks(array: &dyn Array) -> Option<(i64, Vec<Option<i64>>)> {
    Some(match array.data_type() {
        DataType::Date32 => (1000, each::<Date32Type, _>(array, |day| i64::from(day) * DAY)),
        DataType::Date64 => (1000, each::<Date64Type, _>(array, |t| t)),
        DataType::Timestamp(TimeUnit::Second, _) => {
            (1, each::<TimestampSecondType, _>(array, |t| t))
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            (1000, each::<TimestampMillisecondType, _>(array, |t| t))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            (1_000_000, each::<TimestampMicrosecondType, _>(array, |t| t))
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            (1_000_000_000, each::<TimestampNanosecondType, _>(array, |t| t))
        }
        _ => return None,
    })
}

/// A column of whole numbers that fit in an `i64`.
fn whole<T>(array: &dyn Array, convert: impl Fn(i64) -> T) -> Option<Vec<Option<T>>> {
    Some(match array.data_type() {
        DataType::Int8 => each::<Int8Type, _>(array, |x| convert(x.into())),
        DataType::Int16 => each::<Int16Type, _>(array, |x| convert(x.into())),
        DataType::Int32 => each::<Int32Type, _>(array, |x| convert(x.into())),
        DataType::Int64 => each::<Int64Type, _>(array, convert),
        DataType::UInt8 => each::<UInt8Type, _>(array, |x| convert(x.into())),
        DataType::UInt16 => each::<UInt16Type, _>(array, |x| convert(x.into())),
        DataType::UInt32 => each::<UInt32Type, _>(array, |x| convert(x.into())),
        _ => return None,
    })
}

fn each<T: ArrowPrimitiveType, U>(
    array: &dyn Array,
    convert: impl Fn(T::Native) -> U,
) -> Vec<Option<U>> {
    array.as_primitive::<T>().iter().map(|cell| cell.map(&convert)).collect()
}

fn owned<'a>(texts: impl StringArrayType<'a>) -> Vec<Option<String>> {
    texts.iter().map(|text| text.map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int8Type;
    use arrow_array::{
        ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array,
        Int16Array, StringViewArray, TimestampSecondArray, UInt64Array,
    };

    use super::*;

    #[test]
    fn numbers_of_any_type_are_read() {
        let decimal = Decimal128Array::from(vec![Some(-12345), None]);
        let decimal = decimal.with_precision_and_scale(9, 2).unwrap();
        let columns: [(ArrayRef, [Option<f64>; 2]); 4] = [
            (Arc::new(Float32Array::from(vec![Some(1.5), None])), [Some(1.5), None]),
            (Arc::new(Int16Array::from(vec![-3, 4])), [Some(-3.0), Some(4.0)]),
            (Arc::new(UInt64Array::from(vec![1 << 60, 7])), [Some(2_f64.powi(60)), Some(7.0)]),
            (Arc::new(decimal), [Some(-123.45), None]),
        ];
        for (column, expected) in columns {
            assert_eq!(numbers(&column).unwrap(), expected);
        }
        assert_eq!(numbers(&BooleanArray::from(vec![true])), None);
    }

    #[test]
    fn names_come_from_texts_numbers_and_categories() {
        let categories: DictionaryArray<Int8Type> =
            vec![Some("a"), None, Some("b"), Some("a")].into_iter().collect();
        let named = |names: &[Option<&str>]| {
            Some(names.iter().map(|name| name.map(str::to_owned)).collect::<Vec<_>>())
        };
        assert_eq!(texts(&categories), named(&[Some("a"), None, Some("b"), Some("a")]));
        let view = StringViewArray::from(vec![Some("x"), None]);
        assert_eq!(texts(&view), named(&[Some("x"), None]));
        assert_eq!(texts(&Int16Array::from(vec![7])), named(&[Some("7")]));
        assert_eq!(texts(&BooleanArray::from(vec![true])), None);
    }

    #[test]
    fn dates_become_ticks() {
        let days = Date32Array::from(vec![Some(2), None]);
        assert_eq!(ticks(&days), Some((1000, vec![Some(2 * DAY), None])));
        let seconds = TimestampSecondArray::from(vec![Some(-5)]);
        assert_eq!(ticks(&seconds), Some((1, vec![Some(-5)])));
        assert_eq!(ticks(&Int16Array::from(vec![1])), None);
    }
}
