/**
 * Address of the classic script, for its build: it has no `import.meta.url`, and `document.currentScript` is it only while it
 * runs for the first time.
 */

export const scriptAddress = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src;
