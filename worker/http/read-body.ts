/** True for `application/json`, with or without parameters. */
export const isJsonType = (contentType: string | undefined): boolean =>
  (contentType ?? '').split(';')[0]?.trim().toLowerCase() === 'application/json';

export type BodyText =
  | { ok: true; text: string }
  | { ok: false; reason: 'too_large'; maxBytes: number }
  | { ok: false; reason: 'too_slow' | 'not_utf8' };

/** How long a client may take to send a body, from the first byte to the last. */
export const BODY_TIMEOUT_MS = 10_000;

/**
 * Reads a request body as UTF-8 text, '' for no body. Bytes are counted on the stream, because a
 * Content-Length header is only a claim and a chunked body has none. A client that sends a byte now
 * and then does not extend the time.
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
    // Does nothing once the whole body has been read. Whether the client notices is of no interest
    // here.
    reader.cancel().catch(() => undefined);
  }
}

/**
 * `race` returns what `work` does, or 'late' once `ms` have passed. It is no `Promise.race` with
 * one promise for all chunks: that promise would keep something of every chunk, and a client can
 * send a body byte by byte.
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

/** Null for bytes that are not UTF-8. Without a chunk it flushes the decoder. */
function decode(decoder: TextDecoder, chunk?: Uint8Array): string | null {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    return null;
  }
}
