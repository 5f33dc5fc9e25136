import { decrypt, encrypt, type Sealing } from '#worker/secrets/encrypt.ts';
import type { SessionRow } from '#worker/auth/service/store.ts';
import { RECENT_MS } from '#worker/auth/sessions/reauthenticate.ts';

/** `key` is AUTH_SECRET. */
const sealingOf = (key: string, owner: string): Sealing => ({
  secret: key,
  purpose: 'totp',
  owner,
});

/** Encrypts the secret of an app that is on. */
export const sealSecret = (key: string, userId: string, secret: Buffer): Promise<string> =>
  encrypt(sealingOf(key, userId), secret.toString('base64'));

/** Null if AUTH_SECRET has changed since the secret was stored. */
export async function openSecret(
  key: string,
  { id, totp_secret }: { id: string; totp_secret: string | null },
): Promise<Buffer | null> {
  const text = await decrypt(sealingOf(key, id), totp_secret ?? '');
  return text === null ? null : Buffer.from(text, 'base64');
}

/**
 * Encrypts a secret that no app has confirmed. Only this session can open it, for as long as its
 * proof is fresh. Otherwise somebody who once knew the password could turn on their app later.
 */
export const sealNewSecret = (
  key: string,
  session: SessionRow,
  secret: Buffer,
  now: number,
): Promise<string> =>
  encrypt(sealingOf(key, ownerOf(session)), `${now + RECENT_MS} ${secret.toString('base64')}`);

/** Null if another session stored the secret, or its time is over. */
export async function openNewSecret(
  key: string,
  session: SessionRow,
  sealed: string,
  now: number,
): Promise<Buffer | null> {
  const text = await decrypt(sealingOf(key, ownerOf(session)), sealed);
  const [until = '', secret = ''] = text?.split(' ') ?? [];
  return Number(until) > now ? Buffer.from(secret, 'base64') : null;
}

const ownerOf = ({ user_id, id }: SessionRow): string => `${user_id}:${id}`;
