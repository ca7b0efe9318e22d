//! Long work in short steps, so that the thread that does it can answer others in between.
//!
//! The work is an `async` function that says what it has done by [`Pace::spend`] and waits for nothing else. [`Steps`] runs
//! it step by step, [`at_once`] to its end.

use std::cell::Cell;
use std::future::poll_fn;
use std::mem::replace;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// Cost of a step, in stored bytes read or work that takes as long: in wasm some 3 ms of a fast machine, 10 of a slow one.
const STEP: usize = 2 << 20;

/// What is left of the step that runs.
#[derive(Debug)]
pub struct Pace {
    left: Cell<usize>,
}

impl Pace {
    /// Counts work that was done, in stored bytes read or what takes as long. Where the step has none left, it ends here
    /// and the work goes on in the next.
    pub async fn spend(&self, cost: usize) {
        match self.left.get().checked_sub(cost) {
            Some(left) => self.left.set(left),
            None => {
                let mut is_next = false;
                let next = |_: &mut Context<'_>| {
                    if replace(&mut is_next, true) { Poll::Ready(()) } else { Poll::Pending }
                };
                poll_fn(next).await;
            }
        }
    }
}

/// Paced work behind a pointer: whether it is done in steps or at once, its code is there once.
pub type Paced<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Work that is done step by step.
pub struct Steps<T> {
    pace: Rc<Pace>,
    work: Paced<'static, T>,
}

/// State of the work after a step.
pub enum Step<T> {
    /// Its result.
    Done(T),
    /// There is more to do.
    More(Steps<T>),
}

impl<T> Steps<T> {
    /// Work that has not begun.
    pub fn new<W: Future<Output = T> + 'static>(work: impl FnOnce(Rc<Pace>) -> W) -> Self {
        let pace = Rc::new(Pace { left: Cell::new(0) });
        Self { work: Box::pin(work(Rc::clone(&pace))), pace }
    }

    /// Does one step.
    pub fn step(mut self) -> Step<T> {
        self.pace.left.set(STEP);
        match self.work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => Step::Done(result),
            Poll::Pending => Step::More(self),
        }
    }
}

/// Does the work to its end.
pub fn at_once<T>(work: impl AsyncFnOnce(&Pace) -> T) -> T {
    let pace = Pace { left: Cell::new(usize::MAX) };
    let mut work = pin!(work(&pace));
    loop {
        if let Poll::Ready(result) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
        pace.left.set(usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn sum(numbers: &[usize], cost: usize, pace: &Pace) -> usize {
        let mut sum = 0;
        for number in numbers {
            sum += number;
            pace.spend(cost).await;
        }
        sum
    }

    fn n_steps(n: usize, cost: usize) -> usize {
        let mut steps = Steps::new(|pace| async move { sum(&vec![1; n], cost, &pace).await });
        for n_steps in 1.. {
            match steps.step() {
                Step::Done(result) => {
                    assert_eq!(result, n);
                    return n_steps;
                }
                Step::More(rest) => steps = rest,
            }
        }
        0
    }

    #[test]
    fn work_ends_a_step_when_it_has_spent_it_and_goes_on_where_it_was() {
        assert_eq!([n_steps(8, STEP / 8), n_steps(9, STEP / 8), n_steps(0, STEP)], [1, 2, 1]);
        // A piece that costs more than a step ends it.
        assert_eq!(n_steps(3, STEP + 1), 4);
    }

    #[test]
    fn work_that_is_done_at_once_has_the_same_result() {
        assert_eq!(at_once(async |pace| sum(&[1, 2, 3], usize::MAX, pace).await), 6);
    }
}
