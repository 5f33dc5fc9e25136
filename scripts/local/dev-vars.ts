import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/shared/place.ts';

/**
 * Returns settings that only a developer's machine may have: demo billing, the local mailbox, local
 * addresses and a generated secret.
 */
export const localVars = (
  secret: string,
): string => `# Local settings, written once and never committed. docs/configuration.md lists them all.
AUTH_SECRET=${secret}
BILLING=demo
DEV_MAILBOX=on
ADMIN_EMAILS=admin@example.com
MAIL_FROM=hop@example.com
SUPPORT_EMAIL=support@example.com
`;

/**
 * Writes .dev.vars if there is none. Wrangler reads it after its custom build, so `wrangler dev`
 * alone also finds it.
 */
export function ensureDevVars(): void {
  const file = join(ROOT, '.dev.vars');
  if (existsSync(file)) return;
  try {
    writeFileSync(file, localVars(randomBytes(32).toString('base64url')), {
      flag: 'wx',
      mode: 0o600,
    });
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
}
