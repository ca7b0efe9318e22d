//! The border to JavaScript, shared by the modules of wasm: [`from_js`] and [`into_js`] for values, [`to_js`] for errors,
//! [`install_panic_hook`], the clock, and the TypeScript of what crosses. The library's classes are in `wasm`, those that read
//! files in `wasm-ingest`, the encoder's in `wasm-encoder`, the lab's in `wasm-lab`.

mod clock;
mod error;
mod panic;
mod token_matches;
#[cfg(not(target_arch = "wasm32"))]
mod typescript;
mod values;

pub use clock::{Stopwatch, Throttle};
pub use error::{bad_argument, to_js};
pub use panic::install_panic_hook;
pub use token_matches::TokenMatches;
#[cfg(not(target_arch = "wasm32"))]
pub use typescript::Declarations;
pub use values::{from_js, into_js, whole};
