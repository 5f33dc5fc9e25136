/** True for `application/json`, with or without parameters. */
export const isJsonType = (contentType: string | undefined): boolean =>
  (contentType ?? '').split(';')[0]?.trim().toLowerCase() === 'application/json';

export type BodyText = { ok: true; text: string } | { ok: false; reason: 'too_large' | 'not_utf8' };

/**
 * Reads a request body as UTF-8 text, '' for no body. Bytes are counted on the stream, because a Content-Length header is only
 * a claim and a chunked body has none.
 */
export async function readBodyText(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<BodyText> {
  if (body === null) return { ok: true, text: '' };
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let size = 0;
  let text = '';
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) return { ok: false, reason: 'too_large' };
    const decoded = decode(decoder, chunk);
    if (decoded === null) return { ok: false, reason: 'not_utf8' };
    text += decoded;
  }
  const rest = decode(decoder);
  return rest === null ? { ok: false, reason: 'not_utf8' } : { ok: true, text: text + rest };
}

/** Null for bytes that are not UTF-8. Without a chunk it flushes the decoder. */
function decode(decoder: TextDecoder, chunk?: Uint8Array): string | null {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    return null;
  }
}
