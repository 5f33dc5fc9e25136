/**
 * Hashes a text to 32 bits, with the bits of `highMask` above them (cyrb53). It is not cryptographic.
 */
export function hashText(text: string, highMask: number): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    a = Math.imul(a ^ char, 2_654_435_761);
    b = Math.imul(b ^ char, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return 2 ** 32 * (b & highMask) + (a >>> 0);
}
