import type { Context } from 'hono';
import { EMAIL_MAX } from '#contract/limits.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { isJsonType } from '#worker/http/read-body.ts';
import { isMetadata, type Metadata } from './user-json.ts';
import { AuthError, badInput } from './errors.ts';

/**
 * A request body. Members are read one by one: unknown ones are ignored, and `null` counts as
 * absent.
 */
export type Body = Metadata;

const badJson = (detail: string): AuthError =>
  new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${detail}`);

/**
 * Throws 415 for a body that is not declared as JSON. A form on another site can send other types
 * without a CORS preflight; JSON always causes one.
 */
export function requireJson(contentType: string | undefined): void {
  if (!isJsonType(contentType))
    throw new AuthError(415, 'validation_failed', 'Send the body as application/json.');
}

/**
 * Parses the body as an object. No body is `{}`, because the client sends none to /logout. Throws
 * 400 `bad_json`, 408 and 413.
 */
export function readBody(c: Context<ApiEnv>): Body {
  const body = c.get('body');
  if (!body.ok) {
    if (body.reason === 'not_utf8') throw badJson('not UTF-8');
    throw body.reason === 'too_large'
      ? new AuthError(413, 'validation_failed', 'The request body is too large')
      : new AuthError(408, 'request_timeout', 'The request body took too long to arrive');
  }
  if (body.text.trim() === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.text);
  } catch {
    throw badJson('invalid syntax');
  }
  if (!isMetadata(parsed)) throw badJson('an object is expected');
  return parsed;
}

/** Reads a string member; '' if it is absent or null. Throws 400 `bad_json` for another type. */
export function readString(body: Body, member: string): string {
  const value = Object.hasOwn(body, member) ? body[member] : undefined;
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw badJson(`${member} must be a string`);
  return value;
}

/** Reads an object member; null if it is absent or null. Throws 400 `bad_json` for another type. */
export function readObject(body: Body, member: string): Metadata | null {
  const value = Object.hasOwn(body, member) ? body[member] : undefined;
  if (value === undefined || value === null) return null;
  if (!isMetadata(value)) throw badJson(`${member} must be an object`);
  return value;
}

/** Characters of JSON. The limit is low because metadata is part of every access token. */
const METADATA_MAX = 2048;

/** Throws 400 for metadata that is too long. */
export function checkMetadata(data: Metadata): Metadata {
  if (JSON.stringify(data).length > METADATA_MAX) throw badInput('User metadata is too large');
  return data;
}

/**
 * Reads `sign_up_secret`, with which a browser proves that it made a sign-up: 43 characters of
 * base64url. Null for anything else: a damaged secret must not block a confirmation. Without one,
 * the page asks for a new password.
 */
export function readSignUpSecret(body: Body): string | null {
  const value = Object.hasOwn(body, 'sign_up_secret') ? body['sign_up_secret'] : undefined;
  return typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
}

const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Validates an email address and returns it in lower case. Throws 400 `validation_failed`. */
export function parseEmail(value: string): string {
  const email = value.trim().toLowerCase();
  if (email.length > EMAIL_MAX) throw badInput('An email address is too long');
  if (!EMAIL.test(email)) throw badInput('Unable to validate email address: invalid format');
  return email;
}
