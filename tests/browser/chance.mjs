/** Numbers that look random and come again from the same seed. */

/** Numbers from 0 to below 1 by xorshift. @param {number} seed */
export function chance(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
