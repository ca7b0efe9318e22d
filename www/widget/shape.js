/**
 * Readers of values from elsewhere: storage, the server of a library. Each takes anything and gives a value of its type, made
 * anew of the parts that it knows, or throws: what lies in storage may come from another version of the page, or from whoever
 * else can write there.
 */

/** @template T @typedef {(value: unknown) => T} Reader */

/** Most characters of a text, and entries of a list. */
const maxText = 100_000;
const maxEntries = 5_000;

/** @param {string} expected @param {unknown} value @returns {never} */
function refuse(expected, value) {
  throw new TypeError(`${value === null ? 'null' : typeof value} where ${expected} is expected`);
}

/** @type {Reader<string>} */
export const text = (value) =>
  typeof value === 'string' && value.length <= maxText ? value : refuse('a text', value);

/** @type {Reader<number>} */
export const number = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : refuse('a number', value);

/** @type {Reader<boolean>} */
export const flag = (value) => (typeof value === 'boolean' ? value : refuse('true or false', value));

/** A reader that takes null too, and reads a part that another version left out as null. @template T @param {Reader<T>} read @returns {Reader<T | null>} */
export const orNull = (read) => (value) => (value === null || value === undefined ? null : read(value));

/** @template T @param {Reader<T>} read @returns {Reader<T[]>} */
export const listOf = (read) => (value) =>
  Array.isArray(value) && value.length <= maxEntries ? value.map(read) : refuse('a list', value);

/**
 * One of the keys of a table, which has all of its type.
 * @template {string} K @param {Readonly<Record<K, true>>} table @returns {Reader<K>}
 */
export const keyOf = (table) => (value) =>
  typeof value === 'string' && Object.hasOwn(table, value)
    ? /** @type {K} */ (value)
    : refuse(`one of ${Object.keys(table).join(', ')}`, value);

/**
 * @template {Record<string, Reader<any>>} F
 * @param {F} fields
 * @returns {Reader<{ [K in keyof F]: ReturnType<F[K]> }>}
 */
export const shape = (fields) => (value) => {
  if (typeof value !== 'object' || value === null) return refuse('an object', value);
  const read = Object.entries(fields).map(([name, field]) => [name, field(Reflect.get(value, name))]);
  return Object.fromEntries(read);
};

/**
 * A value that says by its `kind` which of several it is.
 * @template {Record<string, Reader<any>>} R
 * @param {R} readers by kind
 * @returns {Reader<ReturnType<R[keyof R]>>}
 */
export const byKind = (readers) => (value) => {
  const kind = typeof value === 'object' && value !== null ? Reflect.get(value, 'kind') : null;
  const read = typeof kind === 'string' && Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  return read ? read(value) : refuse(`a kind of ${Object.keys(readers).join(', ')}`, kind);
};
