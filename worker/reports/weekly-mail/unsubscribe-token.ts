import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';

const PURPOSE = 'weekly-mail';

/**
 * The token in the links of a member's weekly mails. It can only stop these mails, so it never
 * expires and links in old mails work. `secret` is AUTH_SECRET.
 */
export const unsubscribeToken = (secret: string, userId: string): string =>
  `${userId}.${keyedHash(secret, PURPOSE, userId)}`;

/** The member to whom a token belongs; null for a token that is not valid. */
export function userOfToken(secret: string, token: string): string | null {
  const userId = token.slice(0, Math.max(0, token.lastIndexOf('.')));
  const [given, expected] = [token, unsubscribeToken(secret, userId)].map((text) =>
    Buffer.from(text),
  );
  const isEqual = given !== undefined && expected !== undefined && given.length === expected.length;
  return userId !== '' && isEqual && timingSafeEqual(given, expected) ? userId : null;
}
