/** Why the data of an evidence file cannot be used. */

/**
 * `absent`: there is none. `format`: it is of another version. `damaged`: it is cut, or not of the shape that it has to
 * have. `changed`: it was written by this page and is not as it was. `passphrase`: the passphrase does not open it.
 * `too-large`: it has more than a page can hold. `insecure`: the browser neither hashes nor encrypts on this page.
 * @typedef {'absent' | 'format' | 'damaged' | 'changed' | 'passphrase' | 'too-large' | 'insecure'} EvidenceFault
 */

export class EvidenceError extends Error {
  /** @param {EvidenceFault} fault @param {string} message in English, for a developer */
  constructor(fault, message) {
    super(message);
    this.name = 'EvidenceError';
    this.fault = fault;
  }
}
