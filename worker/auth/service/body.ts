import type { Context } from 'hono';
import { EMAIL_MAX } from '#contract/limits.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { isJsonType } from '#worker/http/read-body.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { isMetadata, type Metadata } from './user-json.ts';
import { AuthError } from './errors.ts';

/**
 * A request body. Members are read one by one: unknown ones are ignored, and `null` counts as
 * absent.
 */
export type Body = Metadata;

const UNREADABLE = {
  not_utf8: 'not_utf8',
  too_large: 'body_too_large',
  too_slow: 'body_too_slow',
} as const;

/**
 * Throws 415 for a body that is not declared as JSON. A form on another site can send other types
 * without a CORS preflight; JSON always causes one.
 */
export function requireJson(contentType: string | undefined): void {
  if (!isJsonType(contentType)) throw new AuthError('not_json');
}

/**
 * Parses the body as an object. An empty body is `{}`, because the client sends none to /logout.
 * Throws 400 `bad_json`, 408 and 413.
 */
export function readBody(c: Context<ApiEnv>): Body {
  const body = c.get('body');
  if (!body.ok) {
    throw new AuthError(UNREADABLE[body.reason]);
  }
  if (body.text.trim() === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.text);
  } catch {
    throw new AuthError('bad_syntax');
  }
  if (!isMetadata(parsed)) throw new AuthError('not_object');
  return parsed;
}

/** Reads a string member; '' if it is absent or null. Throws 400 `bad_json` for another type. */
export function readString(body: Body, member: string): string {
  const value = Object.hasOwn(body, member) ? body[member] : undefined;
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new AuthError('member_not_string', { detail: member });
  return value;
}

/** Reads an object member; null if it is absent or null. Throws 400 `bad_json` for another type. */
export function readObject(body: Body, member: string): Metadata | null {
  const value = Object.hasOwn(body, member) ? body[member] : undefined;
  if (value === undefined || value === null) return null;
  if (!isMetadata(value)) throw new AuthError('member_not_object', { detail: member });
  return value;
}

/** In characters of JSON. The limit is low because every access token contains the metadata. */
const METADATA_MAX = 2048;

export const isTooLarge = (metadata: Metadata): boolean =>
  JSON.stringify(metadata).length > METADATA_MAX;

/**
 * Reads `sign_up_secret`, with which a browser proves that it made a sign-up, and returns its hash.
 * Returns null for anything but 43 characters of base64url, because a damaged secret must not block
 * a confirmation. Without a secret the page asks for a new password.
 */
export function readSignUpSecretHash(body: Body): string | null {
  const value = Object.hasOwn(body, 'sign_up_secret') ? body['sign_up_secret'] : undefined;
  return typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value) ? hashToken(value) : null;
}

const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether an account can have this address, which is in lower case. */
export const isEmail = (email: string): boolean => email.length <= EMAIL_MAX && EMAIL.test(email);

/** Validates an email address and returns it in lower case. Throws 400 `validation_failed`. */
export function parseEmail(value: string): string {
  const email = value.trim().toLowerCase();
  if (email.length > EMAIL_MAX) throw new AuthError('email_too_long');
  if (!EMAIL.test(email)) throw new AuthError('email_invalid');
  return email;
}
