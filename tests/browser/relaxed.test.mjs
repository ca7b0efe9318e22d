/**
 * Relaxed SIMD: the module that makes products of bytes in the encoder's memory, against plain loops, and the vectors that
 * come of it.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { siteFolder, start, stop, withPage } from './harness.mjs';

before(start);
after(stop);

const bytes = () => readFile(path.join(siteFolder, 'engine/pincite_relaxed.wasm'));

/** Ids of the sections of a module. @param {Uint8Array} module */
function sections(module) {
  const found = [];
  let at = 8;
  while (at < module.length) {
    found.push(module[at]);
    let size = 0;
    let byte = 0x80;
    for (let shift = 0; byte & 0x80; shift += 7) {
      at += 1;
      byte = module[at] ?? 0;
      size += (byte & 0x7f) * 2 ** shift;
    }
    at += size + 1;
  }
  return found;
}

test('the module writes nothing into the memory of the encoder by itself', async () => {
  const [memory, startFunction, data] = [5, 8, 11];
  const found = sections(await bytes());
  for (const section of [memory, startFunction, data])
    assert.ok(!found.includes(section), `section ${section}`);
  assert.ok(found.includes(10), 'there is code');
});

test('products are those of plain loops, bit by bit', () =>
  withPage(async (page) => {
    const wrong = await page.evaluate(
      async (module) => {
        const memory = new WebAssembly.Memory({ initial: 16 });
        const { instance } = await WebAssembly.instantiate(Uint8Array.from(module), { env: { memory } });
        const products = /** @type {(...given: number[]) => void} */ (instance.exports['products']);
        const f32 = Math.fround;
        let top = 64;
        /** @template {Float32Array | Int8Array | Uint8Array} T @param {(at: number, length: number) => T} make @param {number} length @param {(i: number) => number} value */
        const slice = (make, length, value) => {
          const made = make(top, length);
          top += Math.ceil(made.byteLength / 64) * 64;
          for (let i = 0; i < length; i += 1) made[i] = value(i);
          return made;
        };
        const floats = (/** @type {number} */ at, /** @type {number} */ n) =>
          new Float32Array(memory.buffer, at, n);
        let wrong = 0;
        for (const [nRows, nIn, group, nOut] of /** @type {[number, number, number, number][]} */ ([
          [1, 64, 64, 16],
          [5, 128, 64, 48],
          [7, 96, 16, 32],
        ])) {
          top = 64;
          const nGroups = nIn / group;
          const rows = slice(
            (at, n) => new Uint8Array(memory.buffer, at, n),
            nRows * nIn,
            (i) => (i * 7919) % 128,
          );
          const steps = slice(floats, nRows * nGroups, (i) => 0.01 + i / 700);
          const lows = slice(floats, nRows * nGroups, (i) => -0.4 - i / 300);
          const weights = slice(
            (at, n) => new Int8Array(memory.buffer, at, n),
            nIn * nOut,
            (i) => ((i * 104729) % 256) - 128,
          );
          const scales = slice(floats, nGroups * nOut, (i) => 0.002 + i / 9000);
          const sums = slice(floats, nGroups * nOut, (i) => i / 50 - 1);
          const bias = slice(floats, nOut, (i) => i / 9 - 2);
          const out = slice(floats, nRows * nOut, () => Number.NaN);
          const given = [rows, steps, lows, nRows, nIn, group, weights, scales, sums, bias, nOut, out];
          products(...given.map((part) => (typeof part === 'number' ? part : part.byteOffset)));
          for (let row = 0; row < nRows; row += 1)
            for (let output = 0; output < nOut; output += 1) {
              const panel = Math.floor(output / 16);
              let value = bias[output] ?? 0;
              for (let g = 0; g < nGroups; g += 1) {
                let dot = 0;
                for (let input = g * group; input < (g + 1) * group; input += 1) {
                  const weight =
                    ((panel * nIn) / 4 + Math.floor(input / 4)) * 64 + (output % 16) * 4 + (input % 4);
                  dot += (rows[row * nIn + input] ?? 0) * (weights[weight] ?? 0);
                }
                const at = (panel * nGroups + g) * 16 + (output % 16);
                const of = row * nGroups + g;
                const product = f32(f32(f32(dot) * (scales[at] ?? 0)) * (steps[of] ?? 0));
                value = f32(value + f32(product + f32((sums[at] ?? 0) * (lows[of] ?? 0))));
              }
              if (!Object.is(out[row * nOut + output], value)) wrong += 1;
            }
        }
        return wrong;
      },
      [...(await bytes())],
    );
    assert.equal(wrong, 0);
  }));

test('vectors by relaxed SIMD are near those without, and the memory is no larger', () =>
  withPage(
    async (page) => {
      const found = await page.evaluate(async () => {
        const address = (/** @type {string} */ file) => new URL(file, location.href).href;
        const load = async (/** @type {string} */ file) =>
          new Uint8Array(await (await fetch(address(file))).arrayBuffer());
        const wasm = await import(address('engine/pincite_encoder.js'));
        const { memory, __wasm_call_ctors } = await wasm.default({
          module_or_path: address('engine/pincite_encoder_bg.wasm'),
        });
        __wasm_call_ctors();
        const { instance } = await WebAssembly.instantiate(await load('engine/pincite_relaxed.wasm'), {
          env: { memory },
        });
        Reflect.set(globalThis, '__pincite_products', instance.exports['products']);
        const [model, vocabulary, manifest] = await Promise.all(
          ['model.onnx', 'vocab.txt', 'manifest.json'].map((file) => load(`model/${file}`)),
        );
        const encoder = new wasm.Encoder(model, vocabulary, new TextDecoder().decode(manifest), true);
        const texts = ['notice', 'The firm must keep a record of each complaint.', 'A long one. '.repeat(80)];
        const [made, exact] = [encoder.embed(texts), encoder.embedExactly(texts)];
        const cosines = texts.map((_, text) => {
          let sum = 0;
          for (let at = text * 384; at < (text + 1) * 384; at += 1) sum += made[at] * exact[at];
          return sum;
        });
        return { cosines, megabytes: memory.buffer.byteLength / 1e6 };
      });
      assert.ok(
        found.cosines.every((cosine) => cosine > 0.99 && cosine < 0.999_999),
        `${found.cosines}`,
      );
      assert.ok(found.megabytes < 60, `${found.megabytes} MB`);
    },
    { vectors: true },
  ));
