/**
 * A module of the site in the page, started once.
 * @param {string} name without what wasm-bindgen adds
 * @returns {Promise<{ glue: any, memory: WebAssembly.Memory, exports: any }>}
 */
export async function started(name) {
  const at = `/engine/${name}.js`; // of this server, not of a package
  const glue = await import(at);
  const exports = await glue.default({ module_or_path: `/engine/${name}_bg.wasm` });
  return { glue, memory: exports.memory, exports };
}
