import { resolve } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ROOT, typedPath } from '#scripts/shared/place.ts';
import { backUp } from './back-up.ts';
import { configOf, isRemote, runCommand } from './command.ts';
import { reportRestore } from './report-restore.ts';
import { restoreDatabase } from './restore-database.ts';

const closed = () => Promise.reject(new Error('The storage was opened.'));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

it.each([
  '',
  'one.tar two.tar',
  '--nightly 2026-11-22 two.tar',
  '--platform hop.tar',
  '--platform --nightly',
  '--nightly --s3',
])('npm run restore -- %s is wrong usage and opens no storage', async (line) => {
  const args = line.split(' ').filter(Boolean);
  await expect(restoreDatabase(args, closed)).rejects.toThrow('Usage: npm run restore');
});

it.each(['', 'one.tar two.tar', 'one.tar --s3'])(
  'npm run backup -- %s is wrong usage',
  async (line) => {
    const args = line.split(' ').filter(Boolean);
    await expect(backUp(args, closed)).rejects.toThrow('Usage: npm run backup');
  },
);

it('a command on the bucket outside the account says which variables it lacks', async () => {
  vi.stubEnv('BACKUP_S3_URL', '');
  for (const command of [backUp(['--list', '--s3'], closed), restoreDatabase(['--s3'], closed)])
    await expect(command).rejects.toThrow('Set BACKUP_S3_URL, BACKUP_S3_REGION');
});

it('an unknown option of either command opens no storage', async () => {
  await expect(backUp(['hop.tar', '--remotely'], closed)).rejects.toThrow('--remotely');
  await expect(restoreDatabase(['hop.tar', '--force'], closed)).rejects.toThrow('--force');
});

it('a command works on the local state unless a deployment is named', () => {
  expect([{}, { remote: false }].map(isRemote)).toEqual([false, false]);
  expect([{ remote: true }, { env: 'staging' }, { config: 'a.json' }].map(isRemote)).toEqual([
    true,
    true,
    true,
  ]);
});

it('a deployment without configuration on this machine says how to get one', () => {
  expect(() => configOf({ env: 'nowhere' })).toThrow(
    /There is no \S+nowhere\.wrangler\.json\. `npm run deploy -- pull --env nowhere` writes it/,
  );
  expect(() => configOf({ config: 'nowhere.json' })).toThrow(/There is no \S+nowhere\.json\.$/);
  expect(configOf({ config: 'wrangler.toml' })).toBe(resolve(ROOT, 'wrangler.toml'));
});

it('a path is relative to the folder in which npm was called', () => {
  vi.stubEnv('INIT_CWD', '/somewhere');
  expect(typedPath('hop.tar')).toBe('/somewhere/hop.tar');
  expect(typedPath('/else/hop.tar')).toBe('/else/hop.tar');
});

it('a failed command prints its message without a stack and ends with 1', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  await runCommand(() => Promise.reject(new Error('There is no hop.tar.')));
  expect([printed.mock.calls, process.exitCode]).toEqual([[['There is no hop.tar.']], 1]);
});

type Restored = Parameters<typeof reportRestore>[0];
const KEPT = {
  suspended: 0,
  demoted: 0,
  keys: 0,
  webhooks: 0,
  passkeys: 0,
  identities: 0,
  shared: 0,
  mails: 0,
  domains: 0,
  hosts: 0,
  blocked: 0,
  logged: 0,
  wasEmpty: false,
};
const restored = (over: Partial<Restored> = {}, kept: Partial<typeof KEPT> = {}): Restored => ({
  ok: true,
  rows: 12,
  copiedAt: Date.parse('2026-11-22T10:00:00Z'),
  skipped: [],
  deletedAccounts: 0,
  list: 'missing',
  hasAdmin: true,
  changed: 3,
  stopped: 0,
  lost: 0,
  hosts: 0,
  ...over,
  kept: { ...KEPT, ...kept },
});

it.each<[string, Restored, string[]]>([
  ['nothing else', restored(), []],
  ['links that stay stopped', restored({ stopped: 4 }), ['4 links that were disabled or deleted']],
  ['lost codes', restored({ lost: 5 }), ['5 codes of later links answer 404']],
  ['deleted accounts', restored({ deletedAccounts: 6 }), ['6 accounts that were deleted after']],
  ['an unknown list', restored({ list: 'unverified' }), ['deleted accounts in the bucket was not']],
  ['suspensions', restored({}, { suspended: 7 }), ['7 accounts that were suspended after']],
  ['demotions', restored({}, { demoted: 8 }), ['8 administrators that were demoted after']],
  ['keys', restored({}, { keys: 9 }), ['9 API keys that were revoked after']],
  ['webhooks', restored({}, { webhooks: 10 }), ['10 webhooks that were removed after']],
  ['passkeys', restored({}, { passkeys: 18 }), ['18 passkeys that were removed after']],
  ['company accounts', restored({}, { identities: 19 }), ['19 company accounts that were']],
  ['shared reports', restored({}, { shared: 14 }), ['14 reports whose sharing was stopped']],
  ['mails', restored({}, { mails: 11 }), ['11 weekly mails that were stopped after']],
  ['hosts by KV', restored({ hosts: 15 }), ['15 hosts that a domain had lost']],
  ['domains', restored({}, { domains: 16 }), ['16 domains have the owner']],
  ['hosts', restored({}, { hosts: 17 }), ['17 hosts that left their domain']],
  ['the blocklist', restored({}, { blocked: 12 }), ['12 later entries of the blocklist']],
  ['the log', restored({}, { logged: 13 }), ['13 later entries of the audit log']],
  ['strange tables', restored({ skipped: ['x', 'y'] }), ['Not restored', 'backups: x, y.']],
  ['an empty database', restored({}, { wasEmpty: true }), ['The database was empty, so nothing']],
  ['no administrator', restored({ hasAdmin: false }), ['Nobody is an administrator.']],
])('a restore reports %s and no more', (_, result, parts) => {
  const text = reportRestore(result).join('\n');
  const always =
    'Restored 12 rows of the copy that was begun at 2026-11-22T10:00:00.000Z. 3 edge records were brought up to date.';
  expect(text.startsWith(always)).toBe(true);
  for (const part of parts) expect(text).toContain(part);
  if (parts.length === 0) expect(text).toBe(always);
  expect(text).not.toMatch(/\b0 /);
});

it('a restore that knows who deleted an account does not ask for it again', () => {
  const empty = (list: Restored['list']) =>
    reportRestore(restored({ list }, { wasEmpty: true })).join('\n');
  expect(empty('missing')).toContain('- accounts that were deleted since\n');
  expect(empty('used').split('\n').slice(1)).toEqual([
    'The database was empty, so nothing decided after the copy is known. As in the copy are:',
    '- suspensions and the administrators',
    '- API keys, passkeys, company accounts, webhooks and shared reports, with those that were ended since',
    '- passwords, with those that a thief knew and the owner has replaced since',
    '- authenticator apps, with recovery codes that were used since',
    '- the blocklist, the audit log and who gets the weekly mail.',
    'Decide again what you know of. docs/operations.md#after-a-restore-into-an-empty-database has the steps.',
  ]);
});
