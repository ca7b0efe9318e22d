//! A panic is a bug, and in wasm it leaves the instance unusable: say it in the console, then tell the worker,
//! which ends itself and is replaced.

use wasm_bindgen::JsValue;

/// Installs the panic hook, when a module is instantiated.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        tell_worker(&info.to_string());
    }));
}

/// Calls `globalThis.__pincite_panic(message)` where the worker has set it.
fn tell_worker(message: &str) {
    let name = JsValue::from_str("__pincite_panic");
    if let Ok(handler) = js_sys::Reflect::get(&js_sys::global(), &name)
        && let Some(handler) = wasm_bindgen::JsCast::dyn_ref::<js_sys::Function>(&handler)
    {
        // What the handler throws cannot be answered: the instance is gone already.
        drop(handler.call1(&JsValue::NULL, &JsValue::from_str(message)));
    }
}
