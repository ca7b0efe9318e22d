/**
 * The bindings of engine, ingest and encoder inside the worker of the page in one file: what they would be imported from has no
 * address there.
 */

import * as encoder from 'pincite-encoder';
import * as ingest from 'pincite-ingest';
import * as wasm from 'pincite-wasm';

/** @returns {Promise<typeof import('pincite-wasm')>} */
export const loadGlue = async () => wasm;

/** @returns {Promise<typeof import('pincite-ingest')>} */
export const loadIngestGlue = async () => ingest;

/** @returns {Promise<typeof import('pincite-encoder')>} */
export const loadEncoderGlue = async () => encoder;
