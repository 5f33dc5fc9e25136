import type { Context } from 'hono';
import { EMAIL_MAX } from '#contract/limits.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { BODY_MAX_BYTES } from '#worker/http/validate.ts';
import { AuthError, badInput } from './errors.ts';
import { isMetadata, type Metadata } from './user-json.ts';

/** A request body whose members are asked for one by one: unknown ones are ignored, `null` counts as absent. */
export type Body = Metadata;

const badJson = (detail: string): AuthError => new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${detail}`);

/**
 * Throws 415 for a body that is not declared as JSON. A form of another site can send any other type without asking first;
 * this one makes a browser ask.
 */
export function requireJson(contentType: string | undefined): void {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new AuthError(415, 'validation_failed', 'Send the body as application/json.');
}

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

/**
 * The secret by which a browser shows that it made a sign-up: `sign_up_secret`, 43 characters of base64url. Null for anything
 * else, because a damaged secret must not block a confirmation: without one, the page asks for a new password.
 */
export function signUpSecretOf(body: Body): string | null {
  const value = Object.hasOwn(body, 'sign_up_secret') ? body['sign_up_secret'] : undefined;
  return typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
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
