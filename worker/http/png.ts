const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const COLOR_TYPE_PALETTE = 3;

/**
 * Encodes an image of at most 16 colors as a PNG file (W3C PNG, third edition). Each line of
 * `lines` is a byte 0, which means "no filter", and the pixels as indexes of `palette`: two pixels
 * per byte, or eight if the palette has two colors.
 */
export async function encodePng(
  width: number,
  height: number,
  palette: readonly string[],
  lines: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, palette.length <= 2 ? 1 : 4);
  header.setUint8(9, COLOR_TYPE_PALETTE);
  const colors = palette.flatMap((color) =>
    [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16)),
  );
  // 'deflate' is the zlib format, which PNG requires.
  const deflated = await new Response(
    new Blob([lines]).stream().pipeThrough(new CompressionStream('deflate')),
  ).arrayBuffer();
  const chunks = [
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('PLTE', Uint8Array.from(colors)),
    chunk('IDAT', new Uint8Array(deflated)),
    chunk('IEND', new Uint8Array()),
  ];
  const file = new Uint8Array(
    SIGNATURE.length + chunks.reduce((sum, part) => sum + part.length, 0),
  );
  file.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const part of chunks) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i += 1) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
