/**
 * A program on a device: weights and buffers that are made once, and batches of texts that run through them. Tokens of a
 * batch stand one after the other without padding. What a batch reads and writes is as large as a batch may be.
 */

import * as kernels from './kernels.js';

/** @typedef {import('pincite-encoder').Program} Program */
/** @typedef {import('pincite-encoder').ProgramStep} Step */
/** @typedef {import('pincite-encoder').Tokens} Tokens */

/** Most tokens and texts of a batch: 57 MB of buffers for MiniLM, and some tens of milliseconds on a small device, which
 * draws the page meanwhile. */
export const batchTokens = 4096;
export const batchTexts = 256;

/** Flags of the specification, which names them where there is WebGPU. */
const usage = { mapRead: 1, copySource: 4, copyTarget: 8, uniform: 64, storage: 128 };
const mapForReading = 1;

/** Bytes of vectors of four, and between two uniforms. */
const four = 16;
const uniformStride = 256;

/** @typedef {{ pipeline: GPUComputePipeline, bindings: GPUBindGroup, workgroups: (batch: Batch) => number[] }} Pass */
/** @typedef {{ tokens: number, texts: number, longest: number }} Batch */

export class GpuExecutor {
  #device;
  #passes;
  #buffers;
  #dimensions;

  /**
   * @param {GPUDevice} device
   * @param {Program} program
   * @param {Pass[]} passes
   * @param {{ batch: GPUBuffer, tokens: GPUBuffer, texts: GPUBuffer, vectors: GPUBuffer }} buffers
   */
  constructor(device, program, passes, buffers) {
    this.#device = device;
    this.#passes = passes;
    this.#buffers = buffers;
    this.#dimensions = program.widths[program.output] ?? 0;
  }

  /**
   * Puts a program on a device.
   * @param {GPUDevice} device
   * @param {Program} program
   * @param {(idx: number) => Uint8Array} constant bytes of a constant
   * @throws {Error} when the device has not the memory for it, or cannot run a step
   */
  static async create(device, program, constant) {
    device.pushErrorScope('validation');
    device.pushErrorScope('out-of-memory');
    const maker = new Maker(device, program, constant);
    const made = await maker.passes().catch((/** @type {Error} */ error) => error);
    const memory = await device.popErrorScope();
    const validation = await device.popErrorScope();
    if (memory || validation) throw new Error((memory ?? validation)?.message || 'out of memory');
    if (made instanceof Error) throw made;
    return new GpuExecutor(device, program, made, maker.buffers);
  }

  /** Gives the device back. */
  destroy() {
    this.#device.destroy();
  }

  /**
   * Vectors of the texts of a batch, row by row.
   * @param {Tokens} batch at most `batchTokens` and `batchTexts`
   * @returns {Promise<Float32Array>}
   * @throws {Error} when the device is lost
   */
  async embed({ ids, lengths }) {
    if (ids.length > batchTokens || lengths.length > batchTexts)
      throw new RangeError(`${ids.length} tokens of ${lengths.length} texts in a batch`);
    const tokens = new Uint32Array(ids.length * 2);
    const texts = new Uint32Array(lengths.length * 2);
    let token = 0;
    lengths.forEach((length, text) => {
      texts.set([token, length], text * 2);
      for (let place = 0; place < length; place += 1, token += 1)
        tokens.set([ids[token] ?? 0, place], token * 2);
    });
    const { queue } = this.#device;
    queue.writeBuffer(this.#buffers.batch, 0, new Uint32Array([ids.length, lengths.length]));
    queue.writeBuffer(this.#buffers.tokens, 0, tokens);
    queue.writeBuffer(this.#buffers.texts, 0, texts);
    const commands = this.#device.createCommandEncoder();
    const compute = commands.beginComputePass();
    const batch = { tokens: ids.length, texts: lengths.length, longest: Math.max(...lengths) };
    for (const { pipeline, bindings, workgroups } of this.#passes) {
      compute.setPipeline(pipeline);
      compute.setBindGroup(0, bindings);
      const [x = 1, y, z] = workgroups(batch);
      compute.dispatchWorkgroups(x, y, z);
    }
    compute.end();
    const size = lengths.length * this.#dimensions * Float32Array.BYTES_PER_ELEMENT;
    const copy = this.#device.createBuffer({
      size,
      usage: usage.mapRead | usage.copyTarget,
    });
    commands.copyBufferToBuffer(this.#buffers.vectors, 0, copy, 0, size);
    queue.submit([commands.finish()]);
    try {
      await copy.mapAsync(mapForReading);
      return new Float32Array(copy.getMappedRange().slice(0));
    } finally {
      copy.destroy();
    }
  }
}

/** Makes what an executor needs of a program. */
class Maker {
  #device;
  #program;
  #constant;
  /** Where each constant begins in the weights, in vectors of four. @type {number[]} */
  #places = [];
  /** @type {Map<string, Promise<GPUComputePipeline>>} */
  #pipelines = new Map();
  /** @type {GPUBuffer[]} */
  #rows;
  #weights;
  #uniforms;
  buffers;

  /** @param {GPUDevice} device @param {Program} program @param {(idx: number) => Uint8Array} constant */
  constructor(device, program, constant) {
    this.#device = device;
    this.#program = program;
    this.#constant = constant;
    const { storage, uniform, copyTarget, copySource } = usage;
    const buffer = (/** @type {number} */ size, /** @type {number} */ flags) =>
      device.createBuffer({ size, usage: flags });
    let size = 0;
    for (const bytes of program.sizes) {
      this.#places.push(size / four);
      size += Math.ceil(bytes / four) * four;
    }
    const most = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
    const widest = Math.max(...program.widths) * batchTokens * Float32Array.BYTES_PER_ELEMENT;
    if (Math.max(size, widest) > most)
      throw new Error(`it holds ${most} bytes at once, ${Math.max(size, widest)} are needed`);
    this.#weights = buffer(size, storage | copyTarget);
    this.#rows = program.widths.map((width) =>
      buffer(width * batchTokens * Float32Array.BYTES_PER_ELEMENT, storage),
    );
    this.#uniforms = buffer(program.steps.length * uniformStride, uniform | copyTarget);
    const width = program.widths[program.output] ?? 0;
    this.buffers = {
      batch: buffer(four, uniform | copyTarget),
      tokens: buffer(batchTokens * 8, storage | copyTarget),
      texts: buffer(batchTexts * 8, storage | copyTarget),
      vectors: buffer(batchTexts * width * Float32Array.BYTES_PER_ELEMENT, storage | copySource),
    };
  }

  /** @returns {Promise<Pass[]>} */
  async passes() {
    for (const [idx, place] of this.#places.entries())
      this.#device.queue.writeBuffer(this.#weights, place * four, this.#constant(idx));
    const { buffers } = this;
    const program = this.#program;
    const steps = await Promise.all(program.steps.map((step, at) => this.#step(step, at)));
    const width = program.widths[program.output] ?? 0;
    const pooled = await this.#pass(
      kernels.pool({ width, pooling: program.pooling }),
      [buffers.texts, this.#row(program.output), buffers.vectors],
      ({ texts }) => [texts],
    );
    return [...steps, pooled];
  }

  /** @param {Step} step @param {number} at @returns {Promise<Pass>} */
  #step(step, at) {
    const { batch, tokens, texts } = this.buffers;
    const width = this.#program.widths[step.out] ?? 0;
    const out = this.#row(step.out);
    switch (step.op) {
      case 'embed': {
        const places = this.#uniform(at, [step.codes, step.scales, step.positions]);
        const bindings = [batch, places, this.#weights, tokens, out];
        return this.#pass(kernels.embed(width), bindings, (now) =>
          kernels.embedWorkgroups(now.tokens, width),
        );
      }
      case 'linear': {
        const { input, group, gelu } = step;
        const shape = { nIn: this.#program.widths[input] ?? 0, nOut: width, group, gelu };
        const places = this.#uniform(at, [step.codes, step.scales, step.bias]);
        const bindings = [batch, places, this.#weights, this.#row(input), out];
        return this.#pass(kernels.linear(shape), bindings, (now) =>
          kernels.linearWorkgroups(now.tokens, width),
        );
      }
      case 'attention': {
        const { query, key, value, heads, scale } = step;
        const bindings = [texts, this.#row(query), this.#row(key), this.#row(value), out];
        return this.#pass(kernels.attention({ width, heads, scale }), bindings, (now) =>
          kernels.attentionWorkgroups(now.longest, heads, now.texts),
        );
      }
      case 'normalise': {
        const { input, residual, epsilon } = step;
        const places = this.#uniform(at, [step.gain, step.bias]);
        const bindings = [places, this.#weights, this.#row(input), out];
        if (residual !== null) bindings.push(this.#row(residual));
        const code = kernels.normalise({ width, epsilon, residual: residual !== null });
        return this.#pass(code, bindings, (now) => [now.tokens]);
      }
    }
  }

  /** @param {number} idx */
  #row(idx) {
    const row = this.#rows[idx];
    if (!row) throw new Error(`the program has no buffer ${idx}`);
    return row;
  }

  /**
   * The places of a step's constants, in its part of the uniforms.
   * @param {number} at
   * @param {number[]} constants
   * @returns {GPUBufferBinding}
   */
  #uniform(at, constants) {
    const places = new Uint32Array(4);
    places.set(constants.map((idx) => this.#places[idx] ?? 0));
    this.#device.queue.writeBuffer(this.#uniforms, at * uniformStride, places);
    return { buffer: this.#uniforms, offset: at * uniformStride, size: four };
  }

  /**
   * @param {string} code
   * @param {(GPUBuffer | GPUBufferBinding)[]} bindings in order
   * @param {(batch: Batch) => number[]} workgroups
   * @returns {Promise<Pass>}
   */
  async #pass(code, bindings, workgroups) {
    const made =
      this.#pipelines.get(code) ??
      this.#device.createComputePipelineAsync({
        layout: 'auto',
        compute: { module: this.#device.createShaderModule({ code }) },
      });
    this.#pipelines.set(code, made);
    const pipeline = await made;
    const entries = bindings.map((binding, at) => ({
      binding: at,
      resource: 'buffer' in binding ? binding : { buffer: binding },
    }));
    const group = this.#device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
    return { pipeline, bindings: group, workgroups };
  }
}
