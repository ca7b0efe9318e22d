/**
 * Names that pdf.js puts on the global object when it is loaded. The page around may use a pdf.js of its own, of another
 * version: it must find what was there before, or nothing. This module is to be imported before pdf.js.
 */

const names = ['pdfjsLib', 'pdfjsWorker', '_pdfjsTestingUtils', '__core-js_shared__'];
const before = names.map((name) => ({
  name,
  found: Object.getOwnPropertyDescriptor(globalThis, name),
}));

/** Puts the names back as they were when this module was loaded. */
export function restoreGlobals() {
  for (const { name, found } of before) {
    if (found) Object.defineProperty(globalThis, name, found);
    else Reflect.deleteProperty(globalThis, name);
  }
}
