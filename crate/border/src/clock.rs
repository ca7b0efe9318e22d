//! The browser's clock. The engine has none.

use wasm_bindgen::JsCast;
use web_sys::{Performance, Window, WorkerGlobalScope};

/// Measures laps.
pub struct Stopwatch {
    clock: Option<Performance>,
    last: f64,
}

impl Stopwatch {
    /// Starts the first lap.
    pub fn start() -> Self {
        let clock = clock();
        let last = clock.as_ref().map_or(0.0, Performance::now);
        Self { clock, last }
    }

    /// Milliseconds since the last lap or the start; 0 without a clock.
    pub fn lap(&mut self) -> f64 {
        let now = self.clock.as_ref().map_or(0.0, Performance::now);
        let lap = now - self.last;
        self.last = now;
        lap
    }
}

/// Limits a rate.
pub struct Throttle {
    clock: Option<Performance>,
    interval: f64,
    next: f64,
}

impl Throttle {
    /// Due at first, then once per `interval` milliseconds.
    pub fn new(interval: f64) -> Self {
        Self { clock: clock(), interval, next: 0.0 }
    }

    /// True if it is due; always without a clock.
    pub fn is_due(&mut self) -> bool {
        let Some(clock) = &self.clock else { return true };
        let now = clock.now();
        let is_due = now >= self.next;
        if is_due {
            self.next = now + self.interval;
        }
        is_due
    }
}

/// `performance` of the worker or window that this runs in.
fn clock() -> Option<Performance> {
    let scope = js_sys::global();
    match scope.dyn_ref::<WorkerGlobalScope>() {
        Some(worker) => worker.performance(),
        None => scope.dyn_ref::<Window>().and_then(Window::performance),
    }
}
