/** The bindings of the lab's module inside its worker in the page in one file: what they would be imported from has no address there. */

import * as lab from 'pincite-lab';

/** @returns {Promise<typeof import('pincite-lab')>} */
export const loadLab = async () => lab;
