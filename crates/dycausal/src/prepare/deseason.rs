//! Without a season: x_t less the mean of its place in a cycle of k steps, over all series, with the
//! mean of all left in.

use super::column::Column;

pub(super) fn deseason(column: &mut Column<'_>, period: usize) {
    let overall = column.mean();
    let mut sums = vec![(0.0, 0.0); period];
    for ((_, step), x) in column.0.indexed_iter().filter(|(_, x)| !x.is_nan()) {
        let place = &mut sums[step % period];
        *place = (place.0 + 1.0, place.1 + x);
    }
    let mean = |place: usize| {
        let (count, sum): (f64, f64) = sums[place];
        if count > 0.0 { sum / count - overall } else { 0.0 }
    };
    for ((_, step), x) in column.0.indexed_iter_mut() {
        *x -= mean(step % period);
    }
}
