/**
 * An instance of a module of the site in the page.
 * @param {string} name without what wasm-bindgen adds
 * @param {string} [instance] which of several; instances of different names share nothing
 * @returns {Promise<{ glue: any, memory: WebAssembly.Memory, exports: any }>}
 */
export async function started(name, instance = 'first') {
  const at = `/engine/${name}.js?${instance}`; // of this server, not of a package
  const glue = await import(at);
  const exports = await glue.default({ module_or_path: `/engine/${name}_bg.wasm` });
  return { glue, memory: exports.memory, exports };
}

/**
 * The encoder of the site in the page, with relaxed SIMD where the browser has it, as a worker of the page starts it. The
 * server gives `www` too.
 * @returns {Promise<{ glue: any, memory: WebAssembly.Memory, hasRelaxed: boolean }>}
 */
export async function startedEncoder() {
  const { glue, memory, exports } = await started('pincite_encoder');
  exports.__wasm_call_ctors();
  const relaxed = await import(`${location.origin}/www/engine/relaxed.js`);
  const load = async () => (await fetch('/engine/pincite_relaxed.wasm')).arrayBuffer();
  const hasRelaxed = await relaxed.setUpRelaxed(await relaxed.relaxedModule(load), memory);
  return { glue, memory, hasRelaxed };
}
