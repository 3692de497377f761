//! Independent work on threads of its own.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::error::Result;

/// Does `work` on every item, on so many threads; answers come in the order of the items.
///
/// Plain threads, not rayon: a method that waits for a pool of its own would make a rayon thread
/// take up the next item in the middle of the first, which spoils its time and its stack.
///
/// # Errors
/// The first error, by time; no further item is begun then.
pub(crate) fn each<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let failure = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    let Some(item) = items.get(at) else { return };
                    match work(item) {
                        Ok(answer) => {
                            answers
                                .lock()
                                .unwrap_or_else(PoisonError::into_inner)
                                .push((at, answer));
                        }
                        Err(error) => {
                            // Beyond the last item, for every thread that asks.
                            next.store(items.len(), Ordering::SeqCst);
                            failure
                                .lock()
                                .unwrap_or_else(PoisonError::into_inner)
                                .get_or_insert(error);
                        }
                    }
                }
            });
        }
    });
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.sort_by_key(|(at, _)| *at);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn answers_keep_their_order_and_an_error_ends_the_work() {
        let items: Vec<usize> = (0..50).collect();
        let squares = each(&items, 3, |x| Ok(x * x)).unwrap();
        assert_eq!(squares, items.iter().map(|x| x * x).collect::<Vec<_>>());
        let failing = |x: &usize| {
            if *x == 7 { Err(Error::parameter("x", 7, "another")) } else { Ok(*x) }
        };
        assert!(each(&items, 2, failing).is_err());
        assert_eq!(each(&[], 2, |x: &usize| Ok(*x)).unwrap(), Vec::<usize>::new());
    }
}
