/**
 * Page of encoder.mjs: the engine's encoder and onnxruntime-web's, in turn over the same texts.
 */

import { startedEncoder } from './started-page.mjs';

/**
 * Rates in tokens a second, medians of `rounds`, and the least cosine to fp32, for each set of texts.
 *
 * @param {{ name: string, texts: string[], ids: number[][] }[]} cases
 * @param {number} rounds
 * @param {boolean} withGpu
 */
export async function measure(cases, rounds, withGpu) {
  const bytes = async (/** @type {string} */ place) =>
    new Uint8Array(await (await fetch(place)).arrayBuffer());
  const { glue, memory, hasRelaxed } = await startedEncoder();
  const [graph, vocabulary, manifest] = await Promise.all(
    ['model.onnx', 'vocab.txt', 'manifest.json'].map((name) => bytes(`/model/${name}`)),
  );
  const begin = performance.now();
  const encoder = new glue.Encoder(graph, vocabulary, new TextDecoder().decode(manifest), hasRelaxed);
  const load = Math.round(performance.now() - begin);
  const gpu = withGpu ? await gpuOf(encoder) : null;
  const ort = await import(`${location.origin}/ort/ort.wasm.min.mjs`);
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = '/ort/';
  const session = async (/** @type {string} */ name) =>
    ort.InferenceSession.create(await bytes(`/compare/${name}.onnx`), {
      executionProviders: ['wasm'],
      graphOptimizationLevel: 'all',
    });
  /** @type {Record<string, any>} */
  const sessions = { fp32: await session('fp32'), int8: await session('int8') };

  /** Unit vectors of texts of one length, by onnxruntime. */
  const batch = async (/** @type {string} */ name, /** @type {number[][]} */ ids) => {
    const length = ids[0]?.length ?? 0;
    const input = new ort.Tensor('int64', BigInt64Array.from(ids.flat().map(BigInt)), [ids.length, length]);
    const { data } = (await sessions[name].run({ input_ids: input })).last_hidden_state;
    return ids.map((_, text) => {
      const sums = new Float64Array(384);
      for (let at = 0; at < length * 384; at += 1)
        sums[at % 384] = (sums[at % 384] ?? 0) + data[text * length * 384 + at];
      const norm = Math.hypot(...sums);
      return sums.map((value) => value / norm);
    });
  };
  const byLength = (/** @type {number[][]} */ ids) => {
    /** @type {Map<number, number[]>} */
    const groups = new Map();
    for (const [at, text] of ids.entries()) groups.set(text.length, [...(groups.get(text.length) ?? []), at]);
    return [...groups.values()].flatMap((group) => {
      const n = Math.max(1, Math.floor(512 / (ids[group[0] ?? 0]?.length ?? 1)));
      return Array.from({ length: Math.ceil(group.length / n) }, (_, i) => group.slice(i * n, i * n + n));
    });
  };
  const sets = [];
  for (const { name, ids, texts } of cases) {
    const batches = byLength(ids);
    const other = (/** @type {string} */ which) => async () => {
      /** @type {ArrayLike<number>[]} */
      const vectors = [];
      for (const members of batches) {
        const made = await batch(
          which,
          members.map((at) => ids[at] ?? []),
        );
        members.forEach((at, i) => {
          vectors[at] = made[i] ?? [];
        });
      }
      return vectors;
    };
    const rowsOf = (/** @type {Float32Array} */ rows) =>
      texts.map((_, at) => rows.subarray(at * 384, at * 384 + 384));
    /** @type {Record<string, () => Promise<ArrayLike<number>[]>>} */
    const runs = {
      engine: async () => rowsOf(encoder.embedExactly(texts)),
      relaxed: async () => rowsOf(encoder.embed(texts)),
      fp32: other('fp32'),
      int8: other('int8'),
    };
    if (gpu) runs['gpu'] = async () => rowsOf(await gpu.embed(texts));
    /** @type {Record<string, number[]>} */
    const times = Object.fromEntries(Object.keys(runs).map((which) => [which, []]));
    /** @type {Record<string, ArrayLike<number>[]>} */
    const vectors = {};
    for (let round = 0; round <= rounds; round += 1) {
      for (const [which, run] of Object.entries(runs)) {
        const begun = performance.now();
        vectors[which] = await run();
        // The first round compiles.
        if (round > 0) times[which]?.push(performance.now() - begun);
      }
    }
    const n = ids.flat().length;
    const median = (/** @type {number[]} */ list) => [...list].sort((a, b) => a - b)[list.length >> 1] ?? 1;
    const rates = Object.fromEntries(
      Object.entries(times).map(([which, list]) => [which, Math.round((n / median(list)) * 1000)]),
    );
    const cosine = (/** @type {ArrayLike<number>} */ a, /** @type {ArrayLike<number>} */ b) =>
      Array.from(a).reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
    const least = (/** @type {ArrayLike<number>[]} */ rows) =>
      Math.min(...rows.map((row, at) => cosine(row, vectors['fp32']?.[at] ?? [])));
    const cosines = Object.fromEntries(Object.entries(vectors).map(([which, rows]) => [which, least(rows)]));
    sets.push({ name, rates, cosines });
  }
  return { load, megabytes: Math.round(memory.buffer.byteLength / 1e5) / 10, sets };
}

/** The engine's program on the GPU, batch by batch; null where there is none but software. @param {any} encoder */
async function gpuOf(encoder) {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter || adapter.info.isFallbackAdapter) return null;
  const { GpuExecutor } = await import(`${location.origin}/www/engine/gpu/executor.js`);
  const { GpuEncoder } = await import(`${location.origin}/www/engine/gpu/trial.js`);
  const constant = (/** @type {number} */ idx) => encoder.programConstant(idx);
  const executor = await GpuExecutor.create(await adapter.requestDevice(), encoder.program(), constant);
  return new GpuEncoder(executor, encoder);
}
