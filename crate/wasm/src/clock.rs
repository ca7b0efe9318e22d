//! The browser's clock. The engine has none: only the boundary knows that time passes.

use wasm_bindgen::JsCast;
use web_sys::{Performance, Window, WorkerGlobalScope};

/// Lets a thing through at most once in so many milliseconds.
pub(crate) struct Throttle {
    clock: Option<Performance>,
    interval: f64,
    next: f64,
}

impl Throttle {
    /// Open at first, then once in `interval` milliseconds.
    pub(crate) fn new(interval: f64) -> Self {
        Self { clock: clock(), interval, next: 0.0 }
    }

    /// Whether the time has come. Always, where there is no clock.
    pub(crate) fn is_due(&mut self) -> bool {
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
