/**
 * Long tasks of a page, over 50 ms: by the clock, which is what a person waits for, and by the processor's time, which other
 * work of the machine changes little. Both are read from a trace of the browser. Work that is cut into steps by the clock is cut
 * smaller on a busy machine, so of the workers, which cut so, the figure is a lower bound there.
 */

/** @typedef {import('../../www/node_modules/playwright-core/index.js').Browser} Browser */
/** @typedef {import('../../www/node_modules/playwright-core/index.js').Page} Page */
/** @typedef {{ n: number, longestMs: number }} Tasks `longestMs` is of all tasks, long or not */
/** `workersByCpu` are of all workers of the page. @typedef {{ byClock: Tasks, byCpu: Tasks, workersByCpu: Tasks }} LongTasks */
/**
 * Times in microseconds; `tdur` is of the processor.
 * @typedef {{ name: string, cat: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number, args: { name?: string } }} TraceEvent
 */

const longMs = 50;

/**
 * Tasks of the page while something is done.
 * @template T
 * @param {Browser} browser
 * @param {Page} page
 * @param {() => Promise<T>} work
 * @returns {Promise<{ result: T, tasks: LongTasks }>}
 */
export async function withLongTasks(browser, page, work) {
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  await page.evaluate(() => void performance.mark('bench-begin'));
  const result = await work();
  await page.evaluate(() => void performance.mark('bench-end'));
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  return { result, tasks: longTasksOf(traceEvents) };
}

/** @param {readonly TraceEvent[]} events @returns {LongTasks} */
function longTasksOf(events) {
  const mark = (/** @type {string} */ name) => {
    const found = events.find((event) => event.name === name && event.cat === 'blink.user_timing');
    if (!found) throw new Error(`the trace has no mark ${name}`);
    return found;
  };
  const [begin, end] = [mark('bench-begin'), mark('bench-end')];
  const workers = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name?.startsWith('DedicatedWorker'))
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(
    ({ name, pid, ts }) =>
      name === 'ThreadControllerImpl::RunTask' && pid === begin.pid && ts > begin.ts && ts < end.ts,
  );
  const ofPage = tasks.filter(({ tid }) => tid === begin.tid);
  if (ofPage.length === 0) throw new Error('the trace has no tasks of the page');
  const ofWorkers = tasks.filter(({ pid, tid }) => workers.has(`${pid} ${tid}`));
  const summary = (/** @type {number[]} */ times) => ({
    n: times.filter((ms) => ms > longMs).length,
    longestMs: Math.round(Math.max(0, ...times)),
  });
  return {
    byClock: summary(ofPage.map(({ dur = 0 }) => dur / 1000)),
    byCpu: summary(ofPage.map(({ tdur = 0 }) => tdur / 1000)),
    workersByCpu: summary(ofWorkers.map(({ tdur = 0 }) => tdur / 1000)),
  };
}
