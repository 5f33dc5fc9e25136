/** The encodings of files, by the label of `TextDecoder`, with the names that pages show. */
export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Western)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  'iso-8859-2': 'ISO 8859-2 (Central European)',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (big endian)',
} as const;
export type Encoding = keyof typeof ENCODINGS;
export const isEncoding = (name: string): name is Encoding => Object.hasOwn(ENCODINGS, name);

/** How many bytes are searched for the zeros of UTF-16. */
const SAMPLE_BYTES = 1000;

/**
 * Decodes a file. Without a chosen encoding, a byte order mark decides, then the zeros of UTF-16,
 * then whether the bytes are valid UTF-8. Spreadsheets in the West write Windows-1252 otherwise.
 */
export function decodeText(
  bytes: Uint8Array,
  chosen?: Encoding,
): { text: string; encoding: Encoding } {
  const encoding = chosen ?? detect(bytes);
  try {
    const isStrict = chosen === undefined && encoding === 'utf-8';
    return { text: new TextDecoder(encoding, { fatal: isStrict }).decode(bytes), encoding };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

function detect(bytes: Uint8Array): Encoding {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zerosAt = (rest: 0 | 1): number =>
    bytes.subarray(0, SAMPLE_BYTES).filter((byte, at) => byte === 0 && at % 2 === rest).length;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  if (odd > even) return 'utf-16le';
  return even > odd ? 'utf-16be' : 'utf-8';
}
