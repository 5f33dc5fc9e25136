/**
 * Frames as an animated WebP, which browsers and GitHub play without a player
 * (https://developers.google.com/speed/webp/docs/riff_container).
 */

/** A still WebP image, where it changes the picture, and how long it is shown. */
export type Frame = {
  webp: Uint8Array;
  /** Even, because the format stores half of it. */
  x: number;
  y: number;
  width: number;
  height: number;
  ms: number;
};

const HEADER_BYTES = 12;
const ANIMATED = 0b10;
/** The frame replaces its rectangle, instead of being blended with it. */
const REPLACE = 0b10;
const FOREVER = 0;

/** Returns the film of `width` × `height` pixels that shows `frames` again and again. */
export function animateWebp(
  frames: readonly Frame[],
  { width, height }: { width: number; height: number },
): Uint8Array {
  const chunks = [
    chunk('VP8X', [ANIMATED, 0, 0, 0, ...uint24(width - 1), ...uint24(height - 1)]),
    chunk('ANIM', [0, 0, 0, 0, FOREVER, 0]),
    ...frames.map(toChunk),
  ];
  const size = chunks.reduce((sum, { length }) => sum + length, 'WEBP'.length);
  return join([letters('RIFF'), uint32(size), letters('WEBP'), ...chunks]);
}

function toChunk({ webp, x, y, width, height, ms }: Frame): Uint8Array {
  if (x % 2 !== 0 || y % 2 !== 0) throw new Error(`A frame cannot begin at ${x}, ${y}.`);
  const head = [x / 2, y / 2, width - 1, height - 1, ms].flatMap(uint24);
  return chunk('ANMF', join([new Uint8Array([...head, REPLACE]), imageOf(webp)]));
}

/** The chunks of a still image that contain its pixels. */
function imageOf(webp: Uint8Array): Uint8Array {
  const view = new DataView(webp.buffer, webp.byteOffset, webp.byteLength);
  const kept: Uint8Array[] = [];
  for (let at = HEADER_BYTES; at + 8 <= webp.length;) {
    const name = String.fromCharCode(...webp.subarray(at, at + 4));
    const size = view.getUint32(at + 4, true);
    const end = at + 8 + size + (size % 2);
    if (['ALPH', 'VP8 ', 'VP8L'].includes(name)) kept.push(webp.subarray(at, end));
    at = end;
  }
  if (kept.length === 0) throw new Error('The frame is not a WebP image.');
  return join(kept);
}

/** A chunk has its name, its size, and a byte more if the size is odd. */
function chunk(name: string, data: Uint8Array | readonly number[]): Uint8Array {
  const padding = new Uint8Array(data.length % 2);
  return join([letters(name), uint32(data.length), Uint8Array.from(data), padding]);
}

const letters = (text: string): Uint8Array => new TextEncoder().encode(text);
const uint24 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16];
const uint32 = (value: number): Uint8Array => new Uint8Array(new Uint32Array([value]).buffer);

function join(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
