/**
 * A small program of the encoder's steps with shapes that fill no tile, and the same by plain loops: what the shaders are
 * compared with, in a page.
 */

/** @typedef {import('pincite-encoder').Program} Program */

/** Numbers from -1 to 1 without a pattern that a wrong order would hide. @param {number} n @param {number} seed */
const numbers = (n, seed) =>
  Array.from({ length: n }, (_, i) => (((i + 1) * 7919 * seed) % 2003) / 1001.5 - 1);

const [words, width, inner, heads, group, places] = [7, 32, 144, 4, 16, 80];

/**
 * The program and its constants, as arrays of numbers.
 * @param {'mean' | 'cls'} pooling
 */
function small(pooling) {
  /** @type {{ bytes: Uint8Array, values: number[] }[]} */
  const constants = [];
  const floats = (/** @type {number[]} */ values) => {
    const array = Float32Array.from(values);
    constants.push({ bytes: new Uint8Array(array.buffer), values: [...array] });
    return constants.length - 1;
  };
  const codes = (/** @type {number} */ n, /** @type {number} */ seed) => {
    const array = Int8Array.from(numbers(n, seed), (value) => Math.round(value * 127));
    constants.push({ bytes: new Uint8Array(array.buffer), values: [...array] });
    return constants.length - 1;
  };
  let seed = 1;
  const linear = (
    /** @type {number} */ input,
    /** @type {number} */ nIn,
    /** @type {number} */ nOut,
    /** @type {number} */ out,
    gelu = false,
  ) => ({
    op: /** @type {const} */ ('linear'),
    input,
    codes: codes(nIn * nOut, (seed += 2)),
    scales: floats(numbers((nIn / group) * nOut, (seed += 2)).map((value) => 0.004 + value * 0.002)),
    bias: floats(numbers(nOut, (seed += 2))),
    group,
    gelu,
    out,
  });
  const normalise = (
    /** @type {number} */ input,
    /** @type {number | null} */ residual,
    /** @type {number} */ out,
  ) => ({
    op: /** @type {const} */ ('normalise'),
    input,
    residual,
    gain: floats(numbers(width, (seed += 2)).map((value) => 1 + value / 3)),
    bias: floats(numbers(width, (seed += 2))),
    epsilon: 1e-12,
    out,
  });
  const steps = [
    {
      op: /** @type {const} */ ('embed'),
      codes: codes(words * width, 3),
      scales: floats(numbers(words, 5).map((value) => 0.01 + value / 300)),
      positions: floats(numbers(places * width, 11)),
      out: 0,
    },
    normalise(0, null, 1),
    linear(1, width, width, 2),
    linear(1, width, width, 3),
    linear(1, width, width, 4),
    { op: /** @type {const} */ ('attention'), query: 2, key: 3, value: 4, heads, scale: 0.3, out: 0 },
    linear(0, width, width, 2),
    normalise(2, 1, 3),
    linear(3, width, inner, 5, true),
    linear(5, inner, width, 2),
    normalise(2, 3, 1),
  ];
  /** @type {Program} */
  const program = {
    steps,
    widths: [width, width, width, width, width, inner],
    output: 1,
    pooling,
    sizes: constants.map(({ bytes }) => bytes.length),
  };
  return { program, constants };
}

/** The error function by its series; exact enough for numbers below 4. @param {number} x */
function erf(x) {
  let [term, sum] = [x, x];
  for (let n = 1; n < 120; n += 1) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return Math.abs(x) > 4 ? Math.sign(x) : (2 / Math.sqrt(Math.PI)) * sum;
}

/** The vector of a text by plain loops. @param {Program} program @param {{ values: number[] }[]} constants @param {number[]} ids */
function plain({ steps, widths, output, pooling }, constants, ids) {
  /** @type {number[][][]} */
  const rows = widths.map(() => []);
  const constant = (/** @type {number} */ idx) => constants[idx]?.values ?? [];
  const fill = (/** @type {number} */ out, /** @type {(row: number, column: number) => number} */ value) => {
    rows[out] = ids.map((_, row) =>
      Array.from({ length: widths[out] ?? 0 }, (_, column) => value(row, column)),
    );
  };
  const at = (/** @type {number} */ buffer, /** @type {number} */ row, /** @type {number} */ column) =>
    rows[buffer]?.[row]?.[column] ?? Number.NaN;
  for (const step of steps) {
    if (step.op === 'embed') {
      const [codes, scales, positions] = [step.codes, step.scales, step.positions].map(constant);
      fill(step.out, (row, column) => {
        const word = ids[row] ?? 0;
        const code = (codes?.[word * width + column] ?? 0) * (scales?.[word] ?? 0);
        return code + (positions?.[row * width + column] ?? 0);
      });
    } else if (step.op === 'linear') {
      const [codes, scales, bias] = [step.codes, step.scales, step.bias].map(constant);
      const [nIn, nOut] = [widths[step.input] ?? 0, widths[step.out] ?? 0];
      fill(step.out, (row, column) => {
        let sum = bias?.[column] ?? 0;
        for (let input = 0; input < nIn; input += 1) {
          const code = codes?.[(Math.floor(input / 4) * nOut + column) * 4 + (input % 4)] ?? 0;
          sum +=
            at(step.input, row, input) * code * (scales?.[Math.floor(input / group) * nOut + column] ?? 0);
        }
        return step.gelu ? (sum * (1 + erf(sum / Math.SQRT2))) / 2 : sum;
      });
    } else if (step.op === 'attention') {
      const head = width / step.heads;
      fill(step.out, (row, column) => {
        const first = Math.floor(column / head) * head;
        const shares = ids.map((_, other) => {
          let score = 0;
          for (let i = first; i < first + head; i += 1)
            score += at(step.query, row, i) * at(step.key, other, i);
          return Math.exp(score * step.scale);
        });
        const total = shares.reduce((sum, share) => sum + share, 0);
        return shares.reduce((sum, share, other) => sum + (share / total) * at(step.value, other, column), 0);
      });
    } else {
      const [gain, bias] = [step.gain, step.bias].map(constant);
      const { input, residual } = step;
      const value = (/** @type {number} */ row, /** @type {number} */ column) =>
        at(input, row, column) + (residual === null ? 0 : at(residual, row, column));
      const all = [...Array(width).keys()];
      fill(step.out, (row, column) => {
        const mean = all.reduce((sum, i) => sum + value(row, i), 0) / width;
        const variance = all.reduce((sum, i) => sum + (value(row, i) - mean) ** 2, 0) / width;
        return (
          ((value(row, column) - mean) / Math.sqrt(variance + step.epsilon)) * (gain?.[column] ?? 0) +
          (bias?.[column] ?? 0)
        );
      });
    }
  }
  const tokens = pooling === 'mean' ? [...ids.keys()] : [0];
  const vector = Array.from({ length: width }, (_, column) =>
    tokens.reduce((sum, row) => sum + at(output, row, column), 0),
  );
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/**
 * Runs the program on the device of this page; the largest difference of a number of a vector to plain loops.
 * @param {string} executor address of the module
 * @param {'mean' | 'cls'} pooling
 */
export async function largestDifference(executor, pooling) {
  const { GpuExecutor } = await import(executor);
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter?.requestDevice();
  if (!device) throw new Error('there is no device');
  const { program, constants } = small(pooling);
  const gpu = await GpuExecutor.create(device, program, (/** @type {number} */ idx) => constants[idx]?.bytes);
  const texts = [1, 70, 33, 5, 64].map((length, text) =>
    Array.from({ length }, (_, place) => (place * 3 + text) % words),
  );
  const ids = Uint32Array.from(texts.flat());
  let largest = 0;
  // Twice: what the first batch left in the buffers must not be seen.
  for (const some of [texts, texts.slice(1, 3)]) {
    const batch = some === texts ? ids : Uint32Array.from(some.flat());
    const made = await gpu.embed({ ids: batch, lengths: Uint32Array.from(some, ({ length }) => length) });
    const expected = some.flatMap((text) => plain(program, constants, text));
    if (made.length !== expected.length) throw new Error(`${made.length} numbers`);
    // `Math.max` of a NaN is one, and no number is below it.
    largest = Math.max(largest, ...expected.map((value, at) => Math.abs(value - made[at])));
  }
  gpu.destroy();
  return largest;
}
