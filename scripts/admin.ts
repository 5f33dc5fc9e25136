/**
 * `npm run admin -- claim [--remote]` prints a one-time link, valid for an hour, that makes the account which opens it an
 * administrator: in the local database, or in the deployed one.
 */
import { createHash, randomBytes } from 'node:crypto';
import { CONFIG, run, stateDir } from './place.ts';
import { portFrom } from './serve.ts';

const VALID_MS = 60 * 60_000;
const USAGE = 'Usage: npm run admin -- claim [--remote]';

const args = process.argv.slice(2);
const remote = args.includes('--remote');
if (args.find((arg) => !arg.startsWith('--')) !== 'claim' || args.some((arg) => arg !== 'claim' && arg !== '--remote')) {
  console.error(USAGE);
  process.exit(1);
}

const token = randomBytes(32).toString('base64url');
const hash = createHash('sha256').update(token).digest('hex');
const now = Date.now();
const command = `DELETE FROM admin_claims WHERE expires_at <= ${now}; INSERT INTO admin_claims VALUES ('${hash}', ${now + VALID_MS})`;
const place = remote ? ['--remote'] : ['--local', '--persist-to', stateDir()];
const { code, output } = await run(
  'wrangler',
  ['d1', 'execute', 'DB', ...place, '--config', CONFIG, '--command', command, '--yes'],
  {
    quiet: true,
  },
);
if (code !== 0) {
  console.error(`The link could not be stored${remote ? '' : '. Has `npm start` run once?'}\n${output}`);
  process.exit(1);
}
const path = `/admin/claim#${token}`;
console.log(
  remote
    ? `Open ${path} on your host, within an hour. The account that opens it becomes an administrator.`
    : `Open http://localhost:${portFrom(process.env, 8787)}${path} within an hour. The account that opens it becomes an administrator.`,
);
