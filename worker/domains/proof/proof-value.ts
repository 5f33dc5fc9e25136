import { keyedHash } from '#worker/secrets/keyed-hash.ts';

const PREFIX = 'hop-domain=';

/** Where the owner of a host publishes the proof. */
export const proofName = (host: string): string => `_hop.${host}`;

/**
 * The text of the TXT record by which an account proves a host. It is different for each account,
 * so a record that stays behind proves nothing for the next one.
 */
export const proofValue = (secret: string, ownerId: string, host: string): string =>
  PREFIX + keyedHash(secret, 'domain-proof', `${ownerId} ${host}`);

export const isProof = (text: string): boolean => text.startsWith(PREFIX);
