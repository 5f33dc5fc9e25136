import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MANIFEST, MANIFEST_MAC, copyKeyOf, isMacOf } from '#worker/backup/backup-format.ts';
import { prefixOf, readLinkIdMark } from '#worker/backup/copies.ts';
import { copyOutside } from '#worker/backup/copy-outside.ts';
import { listDeletedAccounts } from '#worker/backup/deleted-accounts.ts';
import { hashUserId } from '#worker/secrets/hash-user-id.ts';
import { backUpNightly } from '#worker/backup/back-up-nightly.ts';
import { documentedCommands, wordsOf } from '#scripts/checks/operations-commands.ts';
import { ROOT, run } from '#scripts/shared/place.ts';
import { remoteConfig, withLocalEnv } from '#scripts/shared/local-env.ts';
import { readArchive } from './archive.ts';
import { backUp } from './back-up.ts';
import { applyMigrations } from './migrations.ts';
import { startS3Server } from './testing/s3-server.ts';
import { restoreDatabase } from './restore-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'hop-backup-'));
const file = join(folder, 'hop.tar');
const states = { source: join(folder, 'source'), target: join(folder, 'target') };
/** The oldest supported schema, as in an old backup. */
const SCHEMA = '0027_baseline.sql';
const AUTH_SECRET = 'the secret of the copied deployment';

const documented = documentedCommands().filter((line) => /^npm run (backup|restore) /.test(line));

beforeAll(async () => {
  await withLocalEnv(states.source, async ({ DB }) => {
    await applyMigrations(DB, SCHEMA);
    await DB.batch([
      DB.prepare(`INSERT INTO links (code, target, target_host, created_at, updated_at)
        SELECT 'code' || value, 'https://example.com/?q="' || value || '"', 'example.com', value, value FROM
        (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 1200) SELECT value FROM n)`),
      DB.prepare(
        "INSERT INTO users (id, email, created_at, last_seen_at) VALUES ('u', 'ä@example.com', 1, 1)",
      ),
    ]);
  });
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('npm run backup and npm run restore', () => {
  it('writes a file that only its owner can read, in several parts', async () => {
    const env = { STATE_DIR: states.source, AUTH_SECRET };
    const { code, output } = await run(process.execPath, ['scripts/backup/backup.ts', file], {
      quiet: true,
      env,
    });
    expect(output).toMatch(/: 1200 links, 1201 rows, \d+ KB, schema 0027_baseline\.sql\.$/m);
    expect(code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(
      (await run('/usr/bin/env', ['tar', 'tf', file], { quiet: true })).output
        .split('\n')
        .filter(Boolean).length,
    ).toBeGreaterThan(3);
    expect(await readArchive(file, (store) => store.read('missing'))).toBeNull();
  });

  it('an older backup restores into an empty database as docs/operations.md describes', async () => {
    // Deployed databases need an account, so only local commands run here. Dates in names differ
    // per run, so they run on the newest backup.
    const others = new Set(
      documented
        .filter((line) => !line.includes('--s3'))
        .map((line) => line.replace(' --remote', '').replace(/ \d{4}-\d\d-\d\d/, '')),
    );
    await withLocalEnv(states.target, async (local) => {
      // A developer's own .dev.vars may have another secret.
      const { AUTH_SECRET: _own, ...env } = local;
      const { DB, BACKUPS } = env;
      const execute = (line: string) => {
        const [, , name, , ...args] = wordsOf(line.replace('hop.tar', file));
        return (name === 'backup' ? backUp : restoreDatabase)(args, (_, work) => work(env));
      };
      const first = 'npm run restore -- hop.tar';
      expect(others.delete(first)).toBe(true);
      // The copy was signed with a secret that this database and this shell do not have.
      await expect(execute(first)).rejects.toThrow('cannot be checked');
      vi.stubEnv('AUTH_SECRET', AUTH_SECRET);
      const printed = vi.spyOn(console, 'log').mockReturnValue();
      await execute(first);
      expect(printed.mock.calls.join()).toContain(
        'The database was empty, so nothing decided after the copy is known.',
      );
      printed.mockRestore();
      expect(await DB.prepare('SELECT count(*) AS n, max(id) AS id FROM links').first()).toEqual({
        n: 1200,
        id: 1200,
      });
      expect(
        await DB.prepare("SELECT target FROM links WHERE code = 'code7'").first('target'),
      ).toBe('https://example.com/?q="7"');
      expect(await DB.prepare('SELECT email FROM users').first('email')).toBe('ä@example.com');
      expect(await DB.prepare('SELECT count(*) AS n FROM api_keys').first('n')).toBe(0);
      expect(
        await DB.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'links'").first<number>(
          'seq',
        ),
      ).toBeGreaterThan(1_000_000);
      expect(await BACKUPS.head('link-id-mark.json')).not.toBeNull();

      await expect(execute('npm run restore -- --nightly')).rejects.toThrow(
        'The bucket has no finished copy.',
      );
      await backUpNightly({ ...env, AUTH_SECRET }, Date.now());
      await BACKUPS.put(`${prefixOf('2026-01-02')}part`, 'A copy that was never finished.');
      const listed = vi.spyOn(console, 'log').mockReturnValue();
      const unfinished = execute('npm run restore -- --nightly 2026-01-02 --replace');
      await expect(unfinished).rejects.toThrow('There is no finished backup here');
      for (const line of others) await execute(line);
      expect(listed.mock.calls.join()).toContain('2026-01-02  unfinished');
      listed.mockRestore();
      expect(others.size).toBe(6);
      expect(await DB.prepare('SELECT count(*) AS n FROM links').first('n')).toBe(1200);
    });
  });

  it('[A20] a copy outside the account restores into a new one as it was', async () => {
    const server = await startS3Server();
    let mark = 0;
    await withLocalEnv(states.target, async (local) => {
      const env = { ...local, ...server.settings, AUTH_SECRET, WORKERS_PLAN: 'paid' };
      const forget = env.DB.prepare('INSERT INTO deleted_users VALUES (?1, 1)');
      await forget.bind(hashUserId('u')).run();
      await listDeletedAccounts(env);
      expect(await copyOutside(env, Date.now())).toMatchObject({
        done: { copies_deleted: 0 },
      });
      mark = await readLinkIdMark(env);
    });
    for (const [name, value] of Object.entries(server.settings)) vi.stubEnv(name, value);
    vi.stubEnv('AUTH_SECRET', AUTH_SECRET);
    const printed = vi.spyOn(console, 'log').mockReturnValue();
    // The shell names the secret of the copy, which the new account does not have.
    await withLocalEnv(join(folder, 'new'), async (local) => {
      const env = { ...local, AUTH_SECRET: 'the secret of the new deployment' };
      for (const line of documented.filter((one) => one.includes('--s3'))) {
        const [, , name, , ...args] = wordsOf(line);
        const command = name === 'backup' ? backUp : restoreDatabase;
        await command(args, (_place, work) => work(env));
      }
      expect(await env.DB.prepare('SELECT count(*) AS n FROM links').first('n')).toBe(1200);
      expect(await env.DB.prepare('SELECT count(*) AS n FROM users').first('n')).toBe(0);
      const seq = "SELECT seq FROM sqlite_sequence WHERE name = 'links'";
      expect(await env.DB.prepare(seq).first('seq')).toBe(mark);
    });
    expect(printed.mock.calls.join()).toContain('1 accounts that were deleted after the copy');
    expect(printed.mock.calls.join()).toMatch(/ {2}finished/);
    printed.mockRestore();
    await server.close();
  });

  it('a backup leaves a database from before version 1.0.0 unchanged', async () => {
    const old = readFileSync(join(ROOT, 'scripts/checks/testdata/before-1.0.0.sql'), 'utf8');
    const statements = old
      .replace(/^--.*$/m, '')
      .split(';\n')
      .filter((text) => text.trim() !== '');
    await withLocalEnv(join(folder, 'before'), async ({ DB }) => {
      await DB.batch(statements.map((text) => DB.prepare(text)));
      await expect(applyMigrations(DB)).rejects.toThrow(
        'This database was made by a version of Hop before 1.0.0, which this version cannot upgrade. Nothing was changed.',
      );
      expect(await DB.prepare('SELECT code FROM links').first('code')).toBe('kept');
    });
  });

  it('[T50] signs with the key in the database, and says where there is none', async () => {
    const output = vi.spyOn(console, 'log').mockReturnValue();
    vi.stubEnv('AUTH_SECRET', '');
    const copy = join(folder, 'other.tar');
    const use = (state: string) =>
      withLocalEnv(state, (env) => {
        const { AUTH_SECRET: _, ...deployed } = env;
        return backUp([copy], (_place, work) => work(deployed));
      });
    const macOfCopy = () => readArchive(copy, (store) => store.read(MANIFEST_MAC));
    await use(states.source);
    expect(output.mock.calls.join()).toContain('The copy is not signed');
    expect(await macOfCopy()).toBeNull();
    output.mockClear();
    // The nightly copy of the other test has stored the key.
    await use(states.target);
    expect(output.mock.calls.join()).not.toContain('The copy is not signed');
    const manifest = (await readArchive(copy, (store) => store.read(MANIFEST))) ?? new Uint8Array();
    expect(
      isMacOf(
        Buffer.from((await macOfCopy()) ?? []).toString(),
        copyKeyOf(AUTH_SECRET),
        'manifest',
        manifest,
      ),
    ).toBe(true);
    output.mockRestore();
  });

  it('connects every storage binding of a deployment to the platform', async () => {
    const config = await remoteConfig('wrangler.toml');
    expect(config.d1_databases).toEqual([expect.objectContaining({ binding: 'DB', remote: true })]);
    expect(config.kv_namespaces).toEqual([
      expect.objectContaining({ binding: 'LINKS', remote: true }),
    ]);
    expect(config.r2_buckets).toEqual([
      expect.objectContaining({ binding: 'BACKUPS', remote: true }),
    ]);
    expect([config.name, config.vars]).toEqual(['hop', { LINKS_EPOCH: '' }]);
  });
});
