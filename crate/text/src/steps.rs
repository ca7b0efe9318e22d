//! Steps of readers, counted where debug assertions are on: so tests hold readers to linear cost without a clock.
//!
//! A reader counts the rounds of its loops and the characters that it looks back or ahead over. Release builds count
//! nothing.

#[cfg(debug_assertions)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts `n` steps of a reader on this thread.
#[inline]
pub fn count(n: usize) {
    #[cfg(debug_assertions)]
    STEPS.with(|steps| steps.set(steps.get().saturating_add(n)));
    #[cfg(not(debug_assertions))]
    let _ = n;
}

/// Steps that `read` takes on this thread; 0 in release builds.
pub fn of(read: impl FnOnce()) -> usize {
    #[cfg(debug_assertions)]
    {
        let before = STEPS.get();
        read();
        STEPS.get().saturating_sub(before)
    }
    #[cfg(not(debug_assertions))]
    {
        read();
        0
    }
}

/// Steps that `read` takes for a text of `n` units, and for one of twice as many.
pub fn of_doubled(unit: &str, n: usize, read: impl Fn(&str)) -> [usize; 2] {
    [n, 2 * n].map(|n| {
        let text = unit.repeat(n);
        of(|| read(&text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_looks_back_over_everything_takes_four_times_the_steps() {
        assert_eq!(of_doubled("a", 10, |text| count(text.len())), [10, 20]);
        let [once, twice] = of_doubled("a", 100, |text| (0..text.len()).for_each(count));
        assert!(twice * 10 > once * 39);
    }
}
