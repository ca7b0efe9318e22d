/**
 * The part of the npm package `@wllama/wllama` (llama.cpp as WebAssembly) that is used. The module is made of the package by
 * the build (`wllama.mjs`): its bindings as Emscripten wrote them, in a function, and the form of its messages. The package's
 * own client is not used: it starts workers from text, which the page's policy forbids.
 */

export interface EmscriptenModule {
  [option: string]: unknown;
  HEAPU8: Uint8Array;
  ENV: Record<string, string>;
  FS: {
    mkdir(path: string): void;
    lookupPath(path: string): { node: { usedBytes: number } };
  };
  FS_createDataFile(folder: string, name: string, bytes: Uint8Array, read: boolean, write: boolean, own: boolean): void;
  cwrap(
    name: string,
    result: string,
    parameters: string[],
    options?: { async: boolean },
  ): (...values: unknown[]) => unknown;
}

/** Starts the bindings with the options of a module. */
export function emscripten(module: EmscriptenModule): void;
export function glueSerialize(message: { _name: string; [field: string]: unknown }): Uint8Array;
export function glueDeserialize(bytes: Uint8Array): { _name: string; [field: string]: any };
