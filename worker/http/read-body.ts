import { JSON_TYPE } from '#contract/pages/media-types.ts';

/** True for a type of JSON bodies, with or without parameters. */
export const isJsonType = (
  contentType: string | undefined,
  types: readonly string[] = [JSON_TYPE],
): boolean => types.includes((contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '');

export type BodyText =
  | { ok: true; text: string }
  | { ok: false; reason: 'too_large'; maxBytes: number }
  | { ok: false; reason: 'too_slow' | 'not_utf8' };

/** How long a client may take to send a whole body. */
export const BODY_TIMEOUT_MS = 10_000;

/**
 * Reads a body as UTF-8 text, '' for no body. It counts the bytes of the stream, because a
 * Content-Length header can be wrong and a chunked body has none. Sending a byte now and then does
 * not extend the time limit.
 */
export async function readBodyText(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  timeoutMs: number = BODY_TIMEOUT_MS,
): Promise<BodyText> {
  if (body === null) return { ok: true, text: '' };
  const reader = body.getReader();
  const deadline = startDeadline(timeoutMs);
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
    let size = 0;
    let text = '';
    for (;;) {
      const read = await deadline.race(reader.read());
      if (read === 'late') return { ok: false, reason: 'too_slow' };
      const decoded = decode(decoder, read.value);
      if (decoded === null) return { ok: false, reason: 'not_utf8' };
      text += decoded;
      if (read.done) return { ok: true, text };
      size += read.value.byteLength;
      if (size > maxBytes) return { ok: false, reason: 'too_large', maxBytes };
    }
  } finally {
    deadline.stop();
    // This does nothing once the whole body has been read, and it does not matter if it fails.
    reader.cancel().catch(() => undefined);
  }
}

/**
 * Returns a deadline of `ms`: `race` settles like `work`, or resolves to 'late' after that time.
 * One promise for all chunks in `Promise.race` would retain memory for every chunk, and a client
 * can send a body byte by byte.
 */
function startDeadline(ms: number): {
  race: <T>(work: Promise<T>) => Promise<T | 'late'>;
  stop: () => void;
} {
  let isOver = false;
  let giveUp = (): void => undefined;
  const timer = setTimeout(() => {
    isOver = true;
    giveUp();
  }, ms);
  const race = <T>(work: Promise<T>) =>
    new Promise<T | 'late'>((resolve, reject) => {
      giveUp = () => resolve('late');
      if (isOver) giveUp();
      work.then(resolve, reject);
    });
  return { race, stop: () => clearTimeout(timer) };
}

/** Returns null for bytes that are not UTF-8. Without a chunk it flushes the decoder. */
function decode(decoder: TextDecoder, chunk?: Uint8Array): string | null {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    return null;
  }
}
