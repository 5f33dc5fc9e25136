import { createHash, randomBytes } from 'node:crypto';

const VALID_MS = 60 * 60_000;

/**
 * Creates a one-time link that makes the account that opens it an administrator. Returns its path
 * and the statements that store it.
 */
export function createClaim(now: number): { path: string; statements: string[] } {
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest('hex');
  return {
    path: `/admin/claim#${token}`,
    statements: [
      `DELETE FROM admin_claims WHERE expires_at <= ${now}`,
      `INSERT INTO admin_claims VALUES ('${hash}', ${now + VALID_MS})`,
    ],
  };
}
