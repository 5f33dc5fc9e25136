import { createHash } from 'node:crypto';

/** SHA-256 (hex) of a user id, as `deleted_users` stores it. */
export const hashUserId = (userId: string): string =>
  createHash('sha256').update(userId).digest('hex');
