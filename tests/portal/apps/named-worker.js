/**
 * A question to an engine whose worker the app names itself, by the package's entry for it. The test reads the results.
 */

import { openEngine } from 'pincite/engine';

/** @param {string} address of `pincite/worker`, as the app's bundler gives it */
export async function answeredBy(address) {
  // By its query the test tells this worker from the one that the package would start.
  const workers = { 'engine/worker.js': `${address}?named-by-the-app` };
  const engine = await openEngine({ library: 'worker', workers });
  const file = await fetch('contract.pdf').then((response) => response.blob());
  await engine.add(file, { name: 'contract.pdf' });
  const { sufficient, citations } = await engine.ask('What is the cap on liability?', { vectors: 'none' });
  return { sufficient, nCitations: citations.length };
}
