import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '#scripts/backup/migrations.ts';
import { restoreDatabase } from '#scripts/backup/restore-database.ts';
import { startS3Server } from '#scripts/backup/testing/s3-server.ts';
import { readArguments } from '#scripts/shared/arguments.ts';
import { withLocalEnv } from '#scripts/shared/local-env.ts';
import { backUpNightly } from '#worker/backup/back-up-nightly.ts';
import { MANIFEST, parseManifest } from '#worker/backup/backup-format.ts';
import { CHOICES } from '#worker/backup/backup-tables.ts';
import { dateOf, partStoreOf, raiseLinkIdMark } from '#worker/backup/copies.ts';
import { copyOutside } from '#worker/backup/copy-outside.ts';
import { listDeletedAccounts } from '#worker/backup/deleted-accounts.ts';
import { daysTableOf } from '#worker/clicks/fold/tables.ts';
import { DAY_MS } from '#contract/time.ts';
import { countStatements } from '#worker/db/count-statements.ts';
import { hashUserId } from '#worker/secrets/hash-user-id.ts';

const { values } = readArguments({
  usage: 'npm run bench -- restore [options]',
  about: `A restore drill: a nightly copy, which adds to a full one, goes to an S3 server outside the account, and is restored from there into
an empty account. Compares every copied row, and measures times and sizes.`,
  options: {
    links: { type: 'string', value: 'N', default: '100000', meaning: 'links' },
    short: { type: 'boolean', default: false, meaning: '200 links' },
  },
});
const LINKS = values.short ? 200 : Number(values.links);
const ROWS_PER_STATEMENT = 10_000;
const AUTH_SECRET = 'the secret that was kept elsewhere';
const NOW = Date.now();
const COUNTS = JSON.stringify([
  40,
  6,
  0,
  31,
  [9, 20, 14, 20],
  0,
  ['IN|KA|Bengaluru', 25, 'IN|MH|Pune', 15],
  ['mobile|Chrome|Android', 30, 'desktop|Firefox|Windows', 10],
  ['', 28, 'news.example', 12],
]);

/** The places differ, so that a copy compresses as one of real clicks does. */
const COUNTS_OF_LINK = `replace('${COUNTS}', 'Pune', 'City ' || hex(randomblob(3)))`;

const folder = mkdtempSync(join(tmpdir(), 'hop-drill-'));
const server = await startS3Server();
const lines: [string, string][] = [];

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  lines.push([what, `${((performance.now() - start) / 1000).toFixed(1)} s`]);
  return result;
}

/** A year of rarely clicked links: each with clicks on a few days, 5 rows in all. */
async function fill(db: D1Database): Promise<void> {
  const day = Math.floor(NOW / 86_400_000);
  for (let from = 0; from < LINKS; from += ROWS_PER_STATEMENT) {
    const ids = `(WITH RECURSIVE n(id) AS (SELECT ${from + 1} UNION ALL SELECT id + 1 FROM n WHERE id < ${Math.min(LINKS, from + ROWS_PER_STATEMENT)}) SELECT id FROM n)`;
    await db.batch([
      db.prepare(`INSERT INTO links (id, code, target, target_host, user_id, created_at, updated_at, title)
        SELECT id, printf('c%06x', id), 'https://www.example.com/articles/' || hex(randomblob(12)) || '?ref=newsletter', 'www.example.com',
          'user-' || (id % 50), ${NOW}, ${NOW}, 'Article ' || hex(randomblob(6)) FROM ${ids}`),
      db.prepare(`INSERT INTO link_totals (link_id, human, bot, visitors, first_at, last_at, day, counts)
        SELECT id, 160, 24, 124, ${NOW} - 864000000, ${NOW}, ${day}, ${COUNTS_OF_LINK} FROM ${ids}`),
      ...[1, 10, 40].map((ago) =>
        db.prepare(
          `INSERT OR IGNORE INTO ${daysTableOf(day - ago, NOW)} SELECT id, ${day - ago}, ${COUNTS_OF_LINK} FROM ${ids}`,
        ),
      ),
    ]);
  }
  await db
    .prepare(
      `INSERT INTO users (id, email, created_at, last_seen_at) SELECT 'user-' || value, 'user-' || value || '@example.com', 1, 1 FROM
      (WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < 49) SELECT value FROM n)`,
    )
    .run();
}

/** Links whose owner is not deleted: the others lose their owner and title. */
const OF_OTHERS = "WHERE user_id GLOB 'user-*' AND user_id <> 'user-7'";

/** The number of rows and sums over all values of each copied table. */
async function fingerprint(db: D1Database): Promise<string> {
  const tables = Object.keys(CHOICES).filter((name) => CHOICES[name] === 'copy');
  const found: string[] = [];
  for (const table of tables) {
    const { results } = await db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all<{
      name: string;
    }>();
    // Copies have no recent clicks.
    const columns = results
      .map(({ name }) => name)
      .filter((name) => !['recent', 'visitor_sets'].includes(name));
    const sums = columns.map((name) => `sum(length("${name}")), sum("${name}")`).join(', ');
    const row = await db
      .prepare(`SELECT count(*) AS n, ${sums} FROM ${table} ${table === 'links' ? OF_OTHERS : ''}`)
      .raw();
    found.push(`${table} ${JSON.stringify(row[0])}`);
  }
  return found.join('\n');
}

try {
  let before = '';
  await withLocalEnv(join(folder, 'old'), async (local) => {
    const env = { ...local, ...server.settings, AUTH_SECRET, WORKERS_PLAN: 'paid' };
    await applyMigrations(env.DB);
    await timed(`make ${LINKS} links`, () => fill(env.DB));
    await raiseLinkIdMark(env);
    await timed('full copy, the night before', () => backUpNightly(env, NOW - DAY_MS));
    await timed('nightly copy', () => backUpNightly(env, NOW));
    const manifest = parseManifest(
      (await partStoreOf(env, dateOf(NOW)).read(MANIFEST)) ?? new Uint8Array(),
    );
    const parts = manifest?.parts ?? [];
    const rows = Object.values(manifest?.tables ?? {}).reduce((sum, one) => sum + one.rows, 0);
    const mb = parts.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
    lines.push(['size of the copy', `${rows} rows, ${parts.length} parts, ${mb.toFixed(1)} MB`]);
    // As a deletion after the copy does.
    await env.DB.batch([
      env.DB.prepare("DELETE FROM users WHERE id = 'user-7'"),
      env.DB.prepare('INSERT INTO deleted_users VALUES (?1, 1)').bind(hashUserId('user-7')),
    ]);
    await listDeletedAccounts(env);
    before = await fingerprint(env.DB);
    await timed('copy outside the account', async () => {
      while (((await copyOutside(env, NOW)).left ?? 0) > 0);
    });
  });
  Object.assign(process.env, server.settings, { AUTH_SECRET });
  await withLocalEnv(join(folder, 'new'), async ({ AUTH_SECRET: _own, ...env }) => {
    let statements = 0;
    const counted = { ...env, DB: countStatements(env.DB, () => statements++) };
    await timed('restore into an empty account', () =>
      restoreDatabase(['--s3'], (_place, work) => work(counted)),
    );
    lines.push(['statements of the restore', String(statements)]);
    const after = await fingerprint(env.DB);
    const differing = after.split('\n').filter((line) => !before.includes(line));
    if (differing.length > 0) throw new Error(`Restored otherwise: ${differing.join('\n')}`);
    const all = await env.DB.prepare('SELECT count(*) AS n FROM links').first('n');
    if (all !== LINKS) throw new Error(`${String(all)} links were restored.`);
    const left = "SELECT count(*) AS n FROM links WHERE user_id = 'user-7'";
    if ((await env.DB.prepare(left).first('n')) !== 0)
      throw new Error('The deleted account has links again.');
  });
  for (const [what, value] of lines) console.log(`${what.padEnd(32)}${value}`);
  console.log(
    `load of the machine             ${loadavg()
      .map((n) => n.toFixed(1))
      .join(' ')}`,
  );
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
