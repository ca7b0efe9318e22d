/**
 * Common model servers, known by their usual ports: of an answer that the browser hides nothing else can be seen.
 */

/** @typedef {'ollama' | 'lm-studio' | 'vllm' | 'llama.cpp'} ServerId */

/** @type {Readonly<Record<string, ServerId>>} */
const byPort = { 11434: 'ollama', 1234: 'lm-studio', 8000: 'vllm', 8080: 'llama.cpp' };

/** The server that usually has the port of this address; null for any other. @param {URL} url @returns {ServerId | null} */
export function serverAt(url) {
  return byPort[url.port] ?? null;
}
