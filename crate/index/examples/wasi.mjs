/**
 * Runs a command that was built for `wasm32-wasip1` in Node, with what an example needs of WASI: arguments, a
 * clock, a place to print, numbers to seed with. The wasm engine is Chromium's.
 *
 *     node crate/index/examples/wasi.mjs COMMAND.wasm ARGUMENT...
 */

import { randomFillSync } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';

const args = process.argv.slice(2).map((argument) => new TextEncoder().encode(`${argument}\0`));
/** @type {WebAssembly.Memory} */
let memory;
const view = () => new DataView(memory.buffer);

const imports = {
  /** @param {number} n @param {number} size */
  args_sizes_get(n, size) {
    view().setUint32(n, args.length, true);
    view().setUint32(size, args.reduce((sum, argument) => sum + argument.length, 0), true);
    return 0;
  },
  /** @param {number} list @param {number} bytes */
  args_get(list, bytes) {
    for (const [at, argument] of args.entries()) {
      view().setUint32(list + at * 4, bytes, true);
      new Uint8Array(memory.buffer).set(argument, bytes);
      bytes += argument.length;
    }
    return 0;
  },
  /** @param {number} n @param {number} size */
  environ_sizes_get(n, size) {
    view().setUint32(n, 0, true);
    view().setUint32(size, 0, true);
    return 0;
  },
  environ_get: () => 0,
  /** The processor's time: another process that wants it too does not count.
   * @param {number} _clock @param {bigint} _precision @param {number} time */
  clock_time_get(_clock, _precision, time) {
    const { user, system } = process.cpuUsage();
    view().setBigUint64(time, BigInt(user + system) * 1000n, true);
    return 0;
  },
  /** @param {number} bytes @param {number} length */
  random_get(bytes, length) {
    randomFillSync(new Uint8Array(memory.buffer, bytes, length));
    return 0;
  },
  /** @param {number} file @param {number} pieces @param {number} n @param {number} written */
  fd_write(file, pieces, n, written) {
    let sum = 0;
    for (let at = 0; at < n; at += 1) {
      const start = view().getUint32(pieces + at * 8, true);
      const length = view().getUint32(pieces + at * 8 + 4, true);
      sum += writeSync(file, new Uint8Array(memory.buffer, start, length));
    }
    view().setUint32(written, sum, true);
    return 0;
  },
  /** @param {number} code */
  proc_exit(code) {
    process.exit(code);
  },
};

const module = new WebAssembly.Module(readFileSync(process.argv[2] ?? ''));
// To what else the module names (files) the answer is "bad descriptor": there are none.
const others = WebAssembly.Module.imports(module).map(({ name }) => [name, () => 8]);
const instance = new WebAssembly.Instance(module, {
  wasi_snapshot_preview1: { ...Object.fromEntries(others), ...imports },
});
memory = /** @type {WebAssembly.Memory} */ (instance.exports['memory']);
/** @type {() => void} */ (instance.exports['_start'])();
