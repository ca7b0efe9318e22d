/**
 * The package's worker by its entry, as Vite gives addresses.
 */

import address from 'pincite/worker?url&no-inline';
import { answeredBy } from './named-worker.js';

Object.assign(globalThis, { results: answeredBy(address) });
