//! Progress to a Python callable `(stage, done, total)`, ten times a second at most. An exception that it raises, or Ctrl-C,
//! ends the call and is what the caller gets.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use engine::{Progress, Stage};
use pyo3::prelude::{Py, PyAny, PyErr, PyResult, Python};

/// Interval of reports.
const INTERVAL: Duration = Duration::from_millis(100);

/// A callable that is told of progress.
pub struct Reporter {
    callable: Option<Py<PyAny>>,
    last: Instant,
    stage: Option<Stage>,
    raised: Option<PyErr>,
}

impl Reporter {
    pub fn new(callable: Option<Py<PyAny>>) -> Self {
        Self { callable, last: now(), stage: None, raised: None }
    }

    /// Reports, unless it has just been done; the first and the last of a stage always. Python's lock is not held.
    pub fn report(&mut self, at: Progress) -> ControlFlow<()> {
        let is_edge = self.stage != Some(at.stage) || at.done == at.total;
        if !is_edge && self.last.elapsed() < INTERVAL {
            return ControlFlow::Continue(());
        }
        self.last = now();
        self.stage = Some(at.stage);
        let told = Python::attach(|py| {
            py.check_signals()?;
            match &self.callable {
                Some(callable) => callable.call1(py, (at.stage.name(), at.done, at.total)).map(drop),
                None => Ok(()),
            }
        });
        match told {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.raised = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// The exception that ended the call, else `other`.
    pub fn ended(self, other: PyErr) -> PyErr {
        self.raised.unwrap_or(other)
    }

    /// Fails with what was raised.
    pub fn check(&mut self) -> PyResult<()> {
        self.raised.take().map_or(Ok(()), Err)
    }
}

#[expect(clippy::disallowed_methods, reason = "a face has a clock: progress is told by time")]
fn now() -> Instant {
    Instant::now()
}
