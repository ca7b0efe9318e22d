/**
 * The page in one file: the page, and the element that shows an evidence file, which is the same file with answers and
 * documents in it.
 */

import './page.js';
import './evidence/pincite-evidence.js';
