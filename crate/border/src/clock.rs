//! The browser's clock. The engine has none.

use wasm_bindgen::JsCast;
use web_sys::{Performance, Window, WorkerGlobalScope};

thread_local! {
    /// `performance` of the worker or window that this runs in. Asking what the global object is takes longer than the time.
    static CLOCK: Option<Performance> = {
        let scope = js_sys::global();
        match scope.dyn_ref::<WorkerGlobalScope>() {
            Some(worker) => worker.performance(),
            None => scope.dyn_ref::<Window>().and_then(Window::performance),
        }
    };
}

/// Milliseconds since the page or worker began; `None` without a clock.
fn now() -> Option<f64> {
    CLOCK.with(|clock| clock.as_ref().map(Performance::now))
}

/// Measures laps.
pub struct Stopwatch {
    last: f64,
}

impl Stopwatch {
    /// Starts the first lap.
    pub fn start() -> Self {
        Self { last: now().unwrap_or_default() }
    }

    /// Milliseconds since the last lap or the start; 0 without a clock.
    pub fn lap(&mut self) -> f64 {
        let now = now().unwrap_or_default();
        let lap = now - self.last;
        self.last = now;
        lap
    }
}

/// Limits a rate.
pub struct Throttle {
    interval: f64,
    next: f64,
}

impl Throttle {
    /// Due at first, then once per `interval` milliseconds.
    pub fn new(interval: f64) -> Self {
        Self { interval, next: 0.0 }
    }

    /// True if it is due; always without a clock.
    pub fn is_due(&mut self) -> bool {
        let Some(now) = now() else { return true };
        let is_due = now >= self.next;
        if is_due {
            self.next = now + self.interval;
        }
        is_due
    }
}
