/**
 * Progress of files on their way into the library, in words, as a share, and counted.
 */

import { isOver } from '../engine/ingest.js';

/** @typedef {import('../engine/ingest.js').Job} Job */

/** Progress of a file, in words. @param {import('../strings/index.js').Strings} strings @param {Pick<Job, 'stage' | 'done' | 'total' | 'isLibrary'>} job */
export function jobText({ jobs, format }, { stage, done, total, isLibrary }) {
  // Why a file failed or is locked is told apart.
  if (stage === 'failed' || stage === 'locked') return '';
  if (stage === 'download') return jobs.download(format.bytes(done), total > 0 ? format.bytes(total) : null);
  if (isLibrary && stage === 'saving') return jobs.documents(done, total);
  if (isLibrary && stage === 'cancelled') return jobs.libraryCancelled;
  return stage === 'pages' ? jobs.pages(done, total) : jobs[stage];
}

/** Share of a file that is done, 0 to 1; null while it is unknown. @param {Pick<Job, 'stage' | 'done' | 'total' | 'isLibrary'>} job */
export function jobShare({ stage, done, total, isLibrary }) {
  // Reading pages is most of the work; the rest is quick.
  if (stage === 'download' || (isLibrary && stage === 'saving')) return total > 0 ? done / total : null;
  if (stage === 'pages') return total > 0 ? (0.9 * done) / total : 0;
  /** @type {Partial<Record<typeof stage, number>>} */
  const reached = { layout: 0.92, chunks: 0.95, index: 0.97, saving: 0.99 };
  return reached[stage] ?? null;
}

/**
 * Number of documents that are on their way; null where files are, and it is not known how many documents they hold.
 * @param {readonly Pick<Job, 'stage' | 'done' | 'total' | 'isLibrary'>[]} jobs
 */
export function nBeingRead(jobs) {
  const running = jobs.filter((job) => !isOver(job));
  const counted = running.filter(({ isLibrary, stage }) => !isLibrary || stage === 'saving');
  const n = counted.reduce((sum, { isLibrary, total, done }) => sum + (isLibrary ? total - done : 1), 0);
  return n === 0 && counted.length < running.length ? null : n;
}
