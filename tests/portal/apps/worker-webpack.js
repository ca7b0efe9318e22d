/**
 * The package's worker by its entry, as webpack gives addresses.
 */

import { answeredBy } from './named-worker.js';

Object.assign(globalThis, { results: answeredBy(new URL('pincite/worker', import.meta.url).href) });
