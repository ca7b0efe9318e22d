/**
 * The fingerprint of an evidence file: the first 100 bits of the SHA-256 of its contents, which name every document by
 * its own SHA-256. Twenty characters can be read out on the telephone, in Crockford's base 32, which has no I, L, O, U; to
 * find other contents with the same ones takes 2¹⁰⁰ trials.
 */

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const nCharacters = 20;

/** @param {Uint8Array} digest SHA-256 */
export function fingerprintOf(digest) {
  const bits =
    digest.reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n) >>
    BigInt(digest.length * 8 - nCharacters * 5);
  const characters = Array.from({ length: nCharacters }, (_, at) =>
    alphabet.charAt(Number((bits >> BigInt(5 * (nCharacters - 1 - at))) & 31n)),
  );
  return characters.join('').replace(/.{4}(?=.)/g, '$&-');
}
