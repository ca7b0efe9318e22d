/**
 * The package without the element: a question to an engine of one's own, and a vector from the encoder's module, each after one
 * call. The test reads the results.
 */

import { openEngine } from 'pincite/engine';
import { initEncoder, modelFiles } from 'pincite/wasm';

async function answered() {
  const engine = await openEngine({ library: 'modules' });
  const file = await fetch('contract.pdf').then((response) => response.blob());
  await engine.add(file, { name: 'contract.pdf' });
  const { sufficient, citations } = await engine.ask('What is the cap on liability?', { vectors: 'none' });
  engine.close();
  return { sufficient, nCitations: citations.length };
}

async function embedded() {
  const { module, relaxed } = await initEncoder();
  const { model, vocabulary, manifest, comparison } = modelFiles();
  const bytes = (/** @type {string} */ address) =>
    fetch(address)
      .then((response) => response.arrayBuffer())
      .then((buffer) => new Uint8Array(buffer));
  const encoder = new module.Encoder(
    await bytes(model),
    await bytes(vocabulary),
    new TextDecoder().decode(await bytes(manifest)),
    relaxed,
    await bytes(comparison),
  );
  if (encoder.comparingProblem) throw new Error(encoder.comparingProblem);
  const vector = encoder.embed(['the cap on liability']);
  return { dimensions: vector.length, length: Math.hypot(...vector) };
}

Object.assign(globalThis, { results: Promise.all([answered(), embedded()]) });
