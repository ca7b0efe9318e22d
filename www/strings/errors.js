/**
 * Errors and diagnostics as a person reads them. They carry codes, and English words of their own where these say more
 * than the code; English shows those, every other language goes by the code.
 */

/** @typedef {import('./index.js').Strings} Strings */

/**
 * An error of the engine or the page: a title without full stop, and a hint, which may be empty.
 * @param {Strings} strings
 * @param {Pick<import('../engine/errors.js').PlainError, 'code' | 'message' | 'hint'>} error
 * @returns {{ title: string, hint: string }}
 */
export function describe(strings, { code, message, hint }) {
  // That of a library on a server comes in the words of the language.
  if (code === 'library-failed' && message !== '') return { title: message, hint };
  const [title, usual] = strings.errors[code];
  const { english } = strings.own;
  // The message names the kind of file that was recognised.
  const named = english && code === 'format-unknown' && message !== '';
  // A packed library of another version is named by its number, which is the first of the message.
  const told = code === 'packed-version' ? title.replace('#', message.match(/\d+/)?.[0] ?? '?') : title;
  return {
    title: named ? message.charAt(0).toUpperCase() + message.slice(1) : told,
    hint: strings.format.sentence((english && hint) || usual),
  };
}

/**
 * A fault of an endpoint: a sentence, and a hint, which may be empty.
 * @param {Strings} strings
 * @param {import('../llm/errors.js').LlmError} error
 * @returns {{ message: string, hint: string }}
 */
export function describeFault(strings, { reason, message, values }) {
  const [own, hint] = strings.llm[reason];
  const { seconds, endpoint, parts, needed, allowed = 0 } = values;
  const { llmHints, format } = strings;
  return {
    message: strings.format.sentence(own ?? message),
    hint:
      seconds !== undefined
        ? llmHints.wait(seconds)
        : endpoint !== undefined
          ? llmHints.keyOf(endpoint)
          : parts !== undefined
            ? llmHints.parts(parts)
            : needed !== undefined
              ? llmHints.memory(format.bytes(needed), format.bytes(allowed))
              : hint,
  };
}

/**
 * A diagnostic of a document, in one or two sentences.
 * @param {Strings} strings
 * @param {{ code: string, message: string, hint: string }} diag
 * @param {string} where stands behind the message
 * @param {number} [count] number of places that it speaks of
 */
export function describeDiag(strings, { code, message, hint }, where, count = 1) {
  const own = Object.hasOwn(strings.diags, code)
    ? strings.diags[/** @type {keyof Strings['diags']} */ (code)]
    : null;
  const [text, advice] = own ?? [message, hint];
  const { sentence, sentences } = strings.format;
  const said = typeof text === 'function' ? text(count) : text;
  return sentences([sentence(said + where), sentence(advice)]);
}
