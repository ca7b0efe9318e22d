/** SHA-256 of the program that runs models, in hex; written in by the build. */
export const runtimeHash = '';
