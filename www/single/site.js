/** The page in one file is whole by itself: nothing keeps it, and no service worker may be started from `file://`. */

/** @returns {null} */
export const keptSite = () => null;
