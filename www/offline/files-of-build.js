/** Files of the page's build: path and SHA-256. The build puts them in. @type {Readonly<Record<string, string>>} */
export const files = {};
