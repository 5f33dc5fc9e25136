import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/shared/place.ts';
import { readLocal } from '#scripts/shared/read-local.ts';
import { DEMO_SIGN_INS } from './sign-ins.ts';

const EMAILS = DEMO_SIGN_INS.map(({ email }) => `'${email}'`).join(', ');
const HOSTED = /^\s*SUPABASE_URL *= *["']?[^"'\s]/m;
const CONFIGURED = ['wrangler.toml', '.dev.vars'];

/**
 * Whether the demo accounts exist, read from the database's file, because starting the database
 * takes seconds of CPU time. Undefined for an empty database, and with a hosted sign-in service,
 * where the demo accounts are of no use.
 */
export function hasDemoAccounts(state: string, root = ROOT): boolean | undefined {
  const files = CONFIGURED.map((name) => join(root, name)).filter((file) => existsSync(file));
  if (files.some((file) => HOSTED.test(readFileSync(file, 'utf8')))) return undefined;
  const query = `SELECT email IN (${EMAILS}) AS isDemo FROM users`;
  const found = readLocal(state, 'users', query);
  if (found.length === 0) return undefined;
  return found.filter(({ isDemo }) => isDemo === 1).length === DEMO_SIGN_INS.length;
}
