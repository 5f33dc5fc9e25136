import type { Context } from 'hono';
import { BODY_MAX_BYTES, EMAIL_MAX } from '#contract/limits.ts';
import type { ApiEnv } from '#worker/api/context.ts';
import { AuthError, badInput } from './auth-problem.ts';
import { isMetadata, type Metadata } from './user-json.ts';

/** A request body whose members are asked for one by one: unknown ones are ignored, `null` counts as absent. */
export type Body = Metadata;

const badJson = (detail: string): AuthError => new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${detail}`);

/** The body as an object; an empty one is `{}` (the client sends none to /logout). Throws 400 `bad_json`, 413. */
export async function readBody(c: Context<ApiEnv>): Promise<Body> {
  const text = await readText(c.req.raw.body);
  if (text.trim() === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw badJson('invalid syntax');
  }
  if (!isMetadata(parsed)) throw badJson('an object is expected');
  return parsed;
}

/** A text member; '' where it is absent or null. Another type throws 400 `bad_json`. */
export function textOf(body: Body, member: string): string {
  const value = Object.hasOwn(body, member) ? body[member] : undefined;
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw badJson(`${member} must be a string`);
  return value;
}

/** An object member; null where it is absent. Another type throws 400 `bad_json`. */
export function objectOf(body: Body, member: string): Metadata | null {
  const value = Object.hasOwn(body, member) ? body[member] : undefined;
  if (value === undefined || value === null) return null;
  if (!isMetadata(value)) throw badJson(`${member} must be an object`);
  return value;
}

/** What the client sends is kept small, because it travels in every access token. In JSON characters. */
const METADATA_MAX = 2048;

export function checkMetadata(data: Metadata): Metadata {
  if (JSON.stringify(data).length > METADATA_MAX) throw badInput('User metadata is too large');
  return data;
}

const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The address in lower case. Throws 400 `validation_failed`. */
export function emailOf(value: string): string {
  const email = value.trim().toLowerCase();
  if (email.length > EMAIL_MAX) throw badInput('An email address is too long');
  if (!EMAIL.test(email)) throw badInput('Unable to validate email address: invalid format');
  return email;
}

export type Pkce = { challenge: string; method: 's256' | 'plain' };

/** The PKCE parameters, or null in the implicit flow. Throws 400 where only one is there or one is malformed. */
export function pkceOf(body: Body): Pkce | null {
  const challenge = textOf(body, 'code_challenge');
  const method = textOf(body, 'code_challenge_method').toLowerCase();
  if (challenge === '' && method === '') return null;
  if (challenge === '' || method === '') throw badInput('PKCE flow requires code_challenge_method and code_challenge');
  if (challenge.length < 43 || challenge.length > 128) throw badInput('code challenge has to be between 43 and 128 characters');
  if (!/^[A-Za-z0-9._~-]+$/.test(challenge))
    throw badInput('code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes');
  if (method !== 's256' && method !== 'plain') throw badInput('unsupported code_challenge method');
  return { challenge, method };
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let size = 0;
  let text = '';
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > BODY_MAX_BYTES) throw new AuthError(413, 'validation_failed', 'The request body is too large');
    text += decodeOrThrow(decoder, chunk);
  }
  return text + decodeOrThrow(decoder);
}

function decodeOrThrow(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw badJson('not UTF-8');
  }
}
