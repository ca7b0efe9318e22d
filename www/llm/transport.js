/**
 * One request over HTTP, and the bytes that come back: the only place that calls `fetch`. No redirect is
 * followed, no cookie, referrer or cache takes part, only the origin of the endpoint is asked, every request is
 * in the ledger before it is sent. Three clocks run: until the first byte, between two bytes, and over all. The
 * signal ends a request at once, also in the middle of the reply.
 *
 * Costs no more memory than the reply has; the reply is bounded.
 */

import { LlmError, cancelled, fromStatus, readFailure } from './errors.js';
import { retryAfter, stopped } from './retry.js';

/** @typedef {import('./endpoint.js').Endpoint} Endpoint */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./ledger.js').SentPassage} SentPassage */

/**
 * @typedef {object} Exchange
 * @property {Pick<Endpoint, 'name' | 'stream' | 'timeoutMs' | 'firstByteMs' | 'stallMs' | 'maxReplyBytes' | 'scrub' | 'sign'>} endpoint
 * @property {URL} url
 * @property {'GET' | 'POST' | 'HEAD'} method
 * @property {Record<string, string>} [headers] of the protocol
 * @property {unknown} [body] sent as JSON
 * @property {string} step
 * @property {number | null} call
 * @property {number} attempt
 * @property {readonly SentPassage[]} passages
 * @property {number} [turns] earlier questions and answers in it
 * @property {AbortSignal | null} signal
 * @property {number} deadline when the whole must be over, on the clock of `now`
 * @property {(reply: Pick<Response, 'status' | 'headers'>) => void} [onReply] the reply has begun, whatever its status
 */

/**
 * @typedef {object} World what a request needs of its surroundings
 * @property {typeof globalThis.fetch} fetch
 * @property {Ledger} ledger
 * @property {() => number} now milliseconds since the epoch
 */

/**
 * A reply that has begun. `read` gives its bytes; whoever breaks off the loop ends the request.
 * @typedef {object} Incoming
 * @property {string} type its content type, without parameters
 * @property {() => AsyncGenerator<Uint8Array, void, void>} read
 * @property {(ms: number) => void} expectWithin shortens the patience from here on, as the reply is complete in substance
 */

/** Bytes of an error's body that are read. */
const maxErrorBytes = 64 * 1024;

/**
 * Sends the request and hands its reply to `use`, which reads it.
 * @template T
 * @param {Exchange} exchange
 * @param {World} world
 * @param {(incoming: Incoming) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws {LlmError}
 */
export async function send(exchange, world, use) {
  const { endpoint, url, method, step, call, attempt, passages, turns = 0, signal } = exchange;
  if (signal?.aborted) throw stopped(signal);
  const { address, headers } = endpoint.sign(url);
  const body = exchange.body === undefined ? null : new TextEncoder().encode(JSON.stringify(exchange.body));
  const entry = world.ledger.begin({
    endpoint: endpoint.name,
    url,
    method,
    step,
    call,
    attempt,
    passages: [...passages],
    turns,
    bytesOut: body?.length ?? 0,
  });
  const controller = new AbortController();
  const clocks = new Clocks(controller);
  const stop = () => controller.abort(cancelled());
  signal?.addEventListener('abort', stop, { once: true });
  try {
    clocks.whole(Math.max(0, exchange.deadline - world.now()));
    // A reply in one piece begins when it is complete.
    clocks.next(endpoint.stream ? endpoint.firstByteMs : endpoint.timeoutMs, 'first');
    const { fetch } = world; // browsers refuse a call as a method of another object
    const response = await fetch(
      address,
      /** @type {RequestInit} */ ({
        method,
        headers: {
          accept: 'text/event-stream, application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...exchange.headers,
          ...headers,
        },
        body,
        signal: controller.signal,
        mode: 'cors',
        redirect: 'error',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      }),
    ).catch(() => {
      // What `fetch` throws says nothing in browsers and holds the address in Node: it is not passed on.
      throw new LlmError(
        'network',
        'the server could not be reached, or the browser does not let this page ask it',
      );
    });
    entry.status(response.status);
    exchange.onReply?.(response);
    const read = () => bytesOf(response, { clocks, entry, endpoint, controller });
    if (!response.ok) throw await failure(response, read, exchange, world);
    const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const result = await use({ type, read, expectWithin: (ms) => clocks.limit(ms) });
    if (signal?.aborted) throw stopped(signal); // given up while the last piece was told
    entry.end('ok');
    return result;
  } catch (thrown) {
    const error = controller.signal.aborted ? controller.signal.reason : thrown;
    entry.end(error instanceof LlmError ? error.code : 'internal');
    throw error;
  } finally {
    clocks.stop();
    signal?.removeEventListener('abort', stop);
    controller.abort(cancelled()); // what was not read of the reply is not wanted
  }
}

/** The whole of a reply as text. @param {Incoming} incoming */
export async function textOf({ read }) {
  const decoder = new TextDecoder();
  /** @type {string[]} */
  const parts = [];
  for await (const bytes of read()) parts.push(decoder.decode(bytes, { stream: true }));
  parts.push(decoder.decode());
  return parts.join('');
}

/**
 * @param {Response} response
 * @param {object} parts
 * @param {Clocks} parts.clocks
 * @param {import('./ledger.js').Entry} parts.entry
 * @param {Exchange['endpoint']} parts.endpoint
 * @param {AbortController} parts.controller
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 */
async function* bytesOf(response, { clocks, entry, endpoint, controller }) {
  const reader = response.body?.getReader();
  if (!reader) return;
  const cancel = () => void reader.cancel().catch(() => {});
  controller.signal.addEventListener('abort', cancel, { once: true });
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        if (controller.signal.aborted) throw controller.signal.reason;
        throw new LlmError(
          size > 0 ? 'cut-off' : 'network',
          'the connection broke before the reply was complete',
        );
      });
      // A cancelled reader says that it is done; it must not look like the end of a reply.
      if (controller.signal.aborted) throw controller.signal.reason;
      if (done) return;
      if (value.length === 0) continue;
      clocks.next(endpoint.stallMs, 'next');
      size += value.length;
      entry.received(value.length);
      if (size > endpoint.maxReplyBytes)
        throw new LlmError('too-large', `the reply has more than ${endpoint.maxReplyBytes} bytes`);
      yield value;
    }
  } finally {
    controller.signal.removeEventListener('abort', cancel);
    cancel();
  }
}

/**
 * @param {Response} response
 * @param {() => AsyncGenerator<Uint8Array, void, void>} read
 * @param {Exchange} exchange
 * @param {World} world
 */
async function failure(response, read, { endpoint }, world) {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    for await (const bytes of read()) {
      text += decoder.decode(bytes, { stream: true });
      size += bytes.length;
      if (size > maxErrorBytes) break;
    }
  } catch (error) {
    // The status says enough, unless the person gave up meanwhile.
    if (error instanceof LlmError && error.code === 'cancelled') throw error;
  }
  /** @type {ReturnType<typeof readFailure>} */
  let told = null;
  try {
    told = readFailure(JSON.parse(text));
  } catch {
    // An error page of a proxy, or nothing.
  }
  const error = fromStatus(response.status, told, {
    scrub: endpoint.scrub,
    retryAfterMs: retryAfter(response.headers, world.now()),
  });
  error.kind = told?.kind ?? '';
  refusals.set(error, told?.param ? `${told.param} ${told.message}` : (told?.message ?? ''));
  return error;
}

/** A server's objection in full, for adapters that can leave out what it names. @type {WeakMap<LlmError, string>} */
const refusals = new WeakMap();

/** @param {unknown} error @returns {string} what the server objected to, in lower case; empty for any other error */
export function objection(error) {
  if (!(error instanceof LlmError) || (error.status !== 400 && error.status !== 422 && error.status !== 501))
    return '';
  return (refusals.get(error) ?? '').toLowerCase();
}

/** The clocks of one request; whichever runs out ends it. */
class Clocks {
  #controller;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #whole;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next;
  #limit = Infinity;

  /** @param {AbortController} controller */
  constructor(controller) {
    this.#controller = controller;
  }

  /** @param {number} ms */
  whole(ms) {
    this.#whole = setTimeout(
      () => this.#controller.abort(new LlmError('timeout', 'the request took longer than allowed')),
      ms,
    );
  }

  /** @param {number} ms @param {'first' | 'next'} which */
  next(ms, which) {
    clearTimeout(this.#next);
    const message =
      which === 'first'
        ? 'the server did not begin to answer in time'
        : 'the server stopped in the middle of the reply';
    this.#next = setTimeout(
      () => this.#controller.abort(new LlmError('stalled', message)),
      Math.min(ms, this.#limit),
    );
  }

  /** @param {number} ms */
  limit(ms) {
    this.#limit = ms;
    this.next(ms, 'next');
  }

  stop() {
    clearTimeout(this.#whole);
    clearTimeout(this.#next);
  }
}
