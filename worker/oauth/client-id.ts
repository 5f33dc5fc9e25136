import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';

/** A registered app, such as an assistant. */
export type Client = { name: string; redirectUris: readonly string[] };

const PURPOSE = 'oauth-client';
/** The id is part of an address, so the name and the redirect URIs together are limited. */
const CLIENT_MAX = 2000;

/**
 * Returns the client id of an app: its data and a signature. So a registration needs no storage
 * that strangers could fill. Null if the data is too long. A new AUTH_SECRET ends all
 * registrations; apps then register again, and their keys keep working.
 */
export function newClientId(secret: string, { name, redirectUris }: Client): string | null {
  const text = JSON.stringify([name, ...redirectUris]);
  if (text.length > CLIENT_MAX) return null;
  const data = Buffer.from(text).toString('base64url');
  return `${data}.${keyedHash(secret, PURPOSE, data)}`;
}

/** Returns the app behind a client id; null for an id that this deployment has not signed. */
export function readClientId(secret: string, id: string): Client | null {
  const [data = '', signature = ''] = id.split('.');
  const expected = Buffer.from(keyedHash(secret, PURPOSE, data));
  const given = Buffer.from(signature);
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isSigned || id !== `${data}.${signature}`) return null;
  const [name = '', ...redirectUris]: string[] = JSON.parse(
    Buffer.from(data, 'base64url').toString(),
  );
  return { name, redirectUris };
}
