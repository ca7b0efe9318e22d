/**
 * The steps of a program in WGSL, one shader for each shape of a step. Weights are one buffer for all, read from the
 * places that a step's uniform gives, in vectors of four. Plain f32 and no feature of a device is asked for, so that a
 * shader gives the same numbers wherever there is WebGPU. No array stands in a thread's own memory: what is indexed there
 * is slow, so loops over it are written out.
 */

/** Tokens and texts of a batch, and the binding of each step's places in the weights. */
const shared = /* wgsl */ `
struct Batch { tokens: u32, texts: u32 }
struct Places { first: u32, second: u32, third: u32 }
struct Text { first: u32, length: u32 }
`;

/** Rows and outputs of a tile of a product, and inputs that are loaded at once. */
const tile = 64;
const depth = 16;

/** Tokens of a text that attention works on at once: queries, and keys. */
const queries = 64;
const keys = 32;

/** Threads that share a row, or the vector of a text. */
const threads = 64;

/** @param {number} n @param {(at: number) => string} line */
const lines = (n, line) => Array.from({ length: n }, (_, at) => line(at)).join('\n');

/**
 * Looks words and positions up.
 * @param {number} width
 */
export const embed = (width) => /* wgsl */ `${shared}
@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<uniform> places: Places;
@group(0) @binding(2) var<storage, read> weights: array<u32>;
@group(0) @binding(3) var<storage, read> tokens: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> rows: array<vec4<f32>>;

@compute @workgroup_size(${threads})
fn main(@builtin(global_invocation_id) thread: vec3<u32>) {
  let at = thread.x;
  if (at >= batch.tokens * ${width / 4}u) { return; }
  let token = tokens[at / ${width / 4}u];
  let column = at % ${width / 4}u;
  let four = weights[places.first * 4u + token.x * ${width / 4}u + column];
  let codes = vec4<f32>(bitcast<vec4<i32>>(vec4<u32>(four << 24u, four << 16u, four << 8u, four)) >> vec4<u32>(24u));
  let scale = bitcast<f32>(weights[places.second * 4u + token.x]);
  let position = (places.third + token.y * ${width / 4}u + column) * 4u;
  rows[at] = codes * scale + bitcast<vec4<f32>>(
    vec4<u32>(weights[position], weights[position + 1u], weights[position + 2u], weights[position + 3u]));
}`;

/**
 * A product with a matrix of codes. A workgroup makes a tile of 64 rows and 64 outputs; a thread 4 rows by 8 outputs of it,
 * which thirty-two registers hold.
 * @param {{ nIn: number, nOut: number, group: number, gelu: boolean }} shape
 */
export const linear = ({ nIn, nOut, group, gelu }) => /* wgsl */ `${shared}
@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<uniform> places: Places;
@group(0) @binding(2) var<storage, read> weights: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> rows: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4<f32>>;

var<workgroup> left: array<vec4<f32>, ${(tile * depth) / 4}>;
var<workgroup> right: array<vec4<f32>, ${(tile * depth) / 4}>;

${gelu ? erf : ''}
fn finish(sum: vec4<f32>, row: u32, column: u32) {
  if (row >= batch.tokens || column >= ${nOut / 4}u) { return; }
  let value = sum + bitcast<vec4<f32>>(weights[places.third + column]);
  out[row * ${nOut / 4}u + column] = ${gelu ? '0.5 * value * (1.0 + erf(value * 0.70710678))' : 'value'};
}

@compute @workgroup_size(8, 16)
fn main(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(local_invocation_id) thread: vec3<u32>,
  @builtin(local_invocation_index) index: u32,
) {
  let first_row = workgroup.x * ${tile}u;
  let first_column = workgroup.y * ${tile / 4}u;
${lines(4, (row) => `  var sum${row}a = vec4<f32>(); var sum${row}b = vec4<f32>();`)}
  for (var first = 0u; first < ${nIn}u; first += ${depth}u) {
    for (var at = index; at < ${(tile * depth) / 4}u; at += 128u) {
      let row = min(first_row + at / ${depth / 4}u, batch.tokens - 1u);
      left[at] = rows[row * ${nIn / 4}u + first / 4u + at % ${depth / 4}u];
    }
    if (index < ${tile}u) {
      let column = min(first_column + index % ${tile / 4}u, ${nOut / 4 - 1}u);
      let four = index / ${tile / 4}u;
      let codes = weights[places.first + (first / 4u + four) * ${nOut / 4}u + column];
      let scales = bitcast<vec4<f32>>(weights[places.second + first / ${group}u * ${nOut / 4}u + column]);
      let place = four * ${tile}u + index % ${tile / 4}u;
${lines(
  4,
  (input) =>
    `      right[place + ${(input * tile) / 4}u] =
        vec4<f32>(bitcast<vec4<i32>>(codes << vec4<u32>(${24 - 8 * input}u)) >> vec4<u32>(24u)) * scales;`,
)}
    }
    workgroupBarrier();
    for (var four = 0u; four < ${depth / 4}u; four += 1u) {
      let place = four * ${tile}u + thread.x * 2u;
${lines(4, (row) => `      let row${row} = left[(thread.y * 4u + ${row}u) * ${depth / 4}u + four];`)}
${lines(4, (input) => {
  const part = 'xyzw'[input];
  return `      let weight${input}a = right[place + ${(input * tile) / 4}u];
      let weight${input}b = right[place + ${(input * tile) / 4 + 1}u];
${lines(
  4,
  (row) =>
    `      sum${row}a += row${row}.${part} * weight${input}a; sum${row}b += row${row}.${part} * weight${input}b;`,
)}`;
})}
    }
    workgroupBarrier();
  }
  let row = first_row + thread.y * 4u;
  let column = first_column + thread.x * 2u;
${lines(4, (at) => `  finish(sum${at}a, row + ${at}u, column); finish(sum${at}b, row + ${at}u, column + 1u);`)}
}`;

/** The error function as a ratio of polynomials, as the kernels in Rust have it. */
const erf = /* wgsl */ `
fn erf(value: vec4<f32>) -> vec4<f32> {
  let x = clamp(value, vec4<f32>(-4.0), vec4<f32>(4.0));
  let square = x * x;
  var above = vec4<f32>(-2.726142e-10);
  above = above * square + 2.7706814e-8;
  above = above * square - 2.101024e-6;
  above = above * square - 5.6925063e-5;
  above = above * square - 7.3499063e-4;
  above = above * square - 2.9546e-3;
  above = above * square - 1.6096033e-2;
  var below = vec4<f32>(-1.4566072e-5);
  below = below * square - 2.1337402e-4;
  below = below * square - 1.682827e-3;
  below = below * square - 7.373329e-3;
  below = below * square - 1.426474e-2;
  return x * above / below;
}
`;

/**
 * Attention of a head over the tokens of a text: a thread for each query, keys and values by thirty-two in the memory of
 * the workgroup, and a softmax that is corrected as it goes, so that no scores are kept.
 * @param {{ width: number, heads: number, scale: number }} shape `width` of a row, of all heads
 */
export const attention = ({ width, heads, scale }) => {
  const head = width / heads / 4;
  const row = width / 4;
  return /* wgsl */ `${shared}
@group(0) @binding(0) var<storage, read> texts: array<Text>;
@group(0) @binding(1) var<storage, read> query: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> key: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> value: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4<f32>>;

var<workgroup> some_keys: array<vec4<f32>, ${keys * head}>;
var<workgroup> some_values: array<vec4<f32>, ${keys * head}>;

@compute @workgroup_size(${queries})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) index: u32) {
  let text = texts[workgroup.z];
  let at = workgroup.x * ${queries}u + index;
  let place = (text.first + min(at, text.length - 1u)) * ${row}u + workgroup.y * ${head}u;
${lines(head, (four) => `  let query${four} = query[place + ${four}u] * ${scale.toExponential()};`)}
${lines(head, (four) => `  var sum${four} = vec4<f32>();`)}
  var most = -1e30;
  var total = 0.0;
  for (var first = 0u; first < text.length; first += ${keys}u) {
    for (var part = index; part < ${keys * head}u; part += ${queries}u) {
      let other = text.first + min(first + part / ${head}u, text.length - 1u);
      let start = other * ${row}u + workgroup.y * ${head}u + part % ${head}u;
      some_keys[part] = key[start];
      some_values[part] = value[start];
    }
    workgroupBarrier();
    for (var other = 0u; other < min(${keys}u, text.length - first); other += 1u) {
      let start = other * ${head}u;
      var score = 0.0;
${lines(head, (four) => `      score += dot(query${four}, some_keys[start + ${four}u]);`)}
      let more = max(most, score);
      let kept = exp(most - more);
      let share = exp(score - more);
      most = more;
      total = total * kept + share;
${lines(head, (four) => `      sum${four} = sum${four} * kept + share * some_values[start + ${four}u];`)}
    }
    workgroupBarrier();
  }
  if (at < text.length) {
${lines(head, (four) => `    out[place + ${four}u] = sum${four} / total;`)}
  }
}`;
};

/** Sums a number over the threads of a workgroup; all of them must call it. */
const total = /* wgsl */ `
var<workgroup> parts: array<f32, ${threads}>;
fn total(part: f32, index: u32) -> f32 {
  workgroupBarrier();
  parts[index] = part;
  for (var step = ${threads / 2}u; step > 0u; step /= 2u) {
    workgroupBarrier();
    if (index < step) { parts[index] += parts[index + step]; }
  }
  workgroupBarrier();
  return parts[0];
}
`;

/**
 * Layer norm, a workgroup for each row.
 * @param {{ width: number, epsilon: number, residual: boolean }} shape
 */
export const normalise = ({ width, epsilon, residual }) => /* wgsl */ `${shared}
@group(0) @binding(0) var<uniform> places: Places;
@group(0) @binding(1) var<storage, read> weights: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> rows: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4<f32>>;
${residual ? '@group(0) @binding(4) var<storage, read> residual: array<vec4<f32>>;' : ''}
${total}
@compute @workgroup_size(${threads})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) index: u32) {
  let first = workgroup.x * ${width / 4}u;
  var sum = 0.0;
  for (var at = index; at < ${width / 4}u; at += ${threads}u) {
    let value = rows[first + at]${residual ? ' + residual[first + at]' : ''};
    out[first + at] = value;
    sum += dot(value, vec4<f32>(1.0));
  }
  let mean = total(sum, index) / ${width}.0;
  var squares = 0.0;
  for (var at = index; at < ${width / 4}u; at += ${threads}u) {
    let difference = out[first + at] - mean;
    squares += dot(difference, difference);
  }
  let deviation = sqrt(total(squares, index) / ${width}.0 + ${epsilon.toExponential()});
  for (var at = index; at < ${width / 4}u; at += ${threads}u) {
    out[first + at] =
      (out[first + at] - mean) / deviation * weights[places.first + at] + weights[places.second + at];
  }
}`;

/**
 * The vector of a text, of length 1: the mean of its tokens or its first one, a workgroup for each text. One without a
 * direction becomes the first axis.
 * @param {{ width: number, pooling: 'mean' | 'cls' }} shape
 */
export const pool = ({ width, pooling }) => /* wgsl */ `${shared}
@group(0) @binding(0) var<storage, read> texts: array<Text>;
@group(0) @binding(1) var<storage, read> rows: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4<f32>>;
${total}
@compute @workgroup_size(${threads})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) index: u32) {
  let text = texts[workgroup.x];
  let first = workgroup.x * ${width / 4}u;
  var squares = 0.0;
  for (var at = index; at < ${width / 4}u; at += ${threads}u) {
    var sum = vec4<f32>();
    for (var row = 0u; row < ${pooling === 'mean' ? 'text.length' : '1u'}; row += 1u) {
      sum += rows[(text.first + row) * ${width / 4}u + at];
    }
    out[first + at] = sum;
    squares += dot(sum, sum);
  }
  let length = sqrt(total(squares, index));
  for (var at = index; at < ${width / 4}u; at += ${threads}u) {
    let axis = vec4<f32>(select(0.0, 1.0, at == 0u), 0.0, 0.0, 0.0);
    out[first + at] = select(axis, out[first + at] / length, length > 1e-30);
  }
}`;

/**
 * Workgroups of each kernel.
 * @param {number} tokens of the batch
 * @param {number} width outputs of the step
 */
export const embedWorkgroups = (tokens, width) => [Math.ceil((tokens * width) / 4 / threads)];
/** @param {number} tokens @param {number} width */
export const linearWorkgroups = (tokens, width) => [Math.ceil(tokens / tile), Math.ceil(width / tile)];
/** @param {number} longest tokens of the longest text @param {number} heads @param {number} texts */
export const attentionWorkgroups = (longest, heads, texts) => [Math.ceil(longest / queries), heads, texts];
