import * as z from 'zod/mini';
import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { readSchemaVersion, readSequences, readTables, type BackupTable } from './backup-tables.ts';
import {
  encodeJson,
  encodePart,
  MANIFEST,
  MANIFEST_MAC,
  manifestSchema,
  newManifest,
  sha256,
  type Manifest,
  type PartStore,
  type Rows,
  macOf,
  type Base,
  type CopyKey,
} from './backup-format.ts';
import { changedDays, isLeftToBase } from './differential.ts';

/** The progress of a backup. It is JSON, so that another invocation can continue. */
export const progressSchema = z.object({
  manifest: manifestSchema,
  done: z.array(z.string()),
  /** The key of the last copied row of the current table; null before the first row. */
  after: z.nullable(z.array(z.unknown())),
  links: z.optional(z.number()),
  /** The characters of the last part with links, divided by their estimate. */
  ratio: z.optional(z.number()),
});
export type Progress = z.infer<typeof progressSchema>;

/**
 * How much one run copies. `partChars` is the size of a part in characters. Rows of one link stay
 * together, so a part may be larger.
 */
export type RunSize = { partChars: number; parts: number };
export const LARGE_RUN: RunSize = { partChars: 1_500_000, parts: Infinity };
/**
 * The size for the platform's free plan: compressing 50,000 characters takes some 3 ms of its 10 ms
 * of CPU time.
 */
export const SMALL_RUN: RunSize = { partChars: 50_000, parts: 1 };
const ROWS_PER_PART = 5_000;
const LINKS_PER_PART = 1_000;
/**
 * The next part gets at most this many times the links of the last one. Row sizes are summed before
 * the rows are read, so links that do not fit are read needlessly.
 */
const MORE_LINKS = 1.5;
/**
 * Nearly all rows are counts. Their length is estimated, because summing it would read them all
 * twice.
 */
const COUNTS = /^link_(days_\d|months|totals)$/;
/**
 * An estimate in characters: a row for each day, of which a link has at most one per click, and the
 * values that further clicks of a day add. How many different values they have is unknown, so the
 * next part corrects the estimate by what this one holds.
 */
const CHARS_OF_COUNTS = `coalesce((SELECT 300 + 150 * days + 20 * min(clicks - days, 150 * days) FROM (
  SELECT clicks, min(clicks, coalesce(last_at / ${DAY_MS} - first_at / ${DAY_MS} + 1, clicks)) AS days FROM (
    SELECT human + bot + prefetch AS clicks, first_at, last_at FROM link_totals WHERE link_id = links.id))), 0)`;
/** Links with long rows may follow, so a part is never estimated at less than this share. */
const LEAST_RATIO = 0.1;
/** https://developers.cloudflare.com/d1/platform/limits/ */
const ARGUMENTS_MAX = 32;
/** The size of a column that does not hold text, in characters. */
const NUMBER_CHARS = 8;

/** Starts a full copy, or a differential one of what can differ from `base`. */
export const startBackup = async (db: Db, now: number, base?: Base): Promise<Progress> => ({
  manifest: newManifest(await readSchemaVersion(db), now, base),
  done: [],
  after: null,
});

/**
 * Writes parts while `canContinue` and `size` allow, and the manifest once every table is copied.
 * Resolves to true when the backup is complete. Without a key the copy is not signed. `progress`
 * changes together with the parts: after an interruption, the unfinished part is written again.
 *
 * D1 has no long transactions, so the copy is consistent per link: a link, its holds and its counts
 * are read in one batch, and its totals equal its counts. Links are copied first and people last,
 * so that every copied link has its owner.
 */
export async function writeBackup(
  db: Db,
  store: PartStore,
  progress: Progress,
  key: CopyKey | null,
  now: () => number,
  canContinue: () => boolean = () => true,
  size: RunSize = LARGE_RUN,
): Promise<boolean> {
  const { manifest, done } = progress;
  const tables = (await readTables(db)).filter(({ choice }) => choice === 'copy');
  const perLink = tables.filter(isPerLink);
  const others = tables.filter((table) => !isPerLink(table)).sort((a, b) => rankOf(a) - rankOf(b));
  const endsAt = manifest.parts.length + size.parts;
  for (const table of others) {
    while (!done.includes(table.name)) {
      if (!canContinue() || manifest.parts.length === endsAt) return false;
      const groups =
        table.name === 'links'
          ? await readLinks(db, table, perLink, progress, size)
          : await readRows(db, table, progress.after, size);
      const last = groups?.[0]?.lines.at(-1);
      if (groups !== null && last !== undefined) {
        await writePart(store, manifest, groups);
        const values: unknown[] = JSON.parse(last);
        progress.after = table.key.map((column) => values[table.columns.indexOf(column)]);
      } else {
        done.push(table.name);
        progress.after = null;
      }
    }
  }
  manifest.sequences = await readSequences(db);
  manifest.finishedAt = now();
  const bytes = encodeJson(manifest);
  if (key !== null)
    await store.write(MANIFEST_MAC, new TextEncoder().encode(macOf(key, 'manifest', bytes)));
  await store.write(MANIFEST, bytes);
  return true;
}

/** Links come first, then the tables that refer to people, then people. */
const PEOPLE = ['subscriptions', 'users', 'auth_users'];
const rankOf = ({ name }: BackupTable): number => (name === 'links' ? -2 : PEOPLE.indexOf(name));

/** True for tables whose rows are read together with their link. */
const isPerLink = ({ key }: BackupTable): boolean => key[0] === 'link_id';

async function writePart(store: PartStore, manifest: Manifest, groups: Rows[]): Promise<void> {
  const name = `${String(manifest.parts.length + 1).padStart(6, '0')}.ndjson.gz`;
  const bytes = encodePart(groups);
  await store.write(name, bytes);
  manifest.parts.push({ name, bytes: bytes.length, sha256: sha256(bytes) });
  for (const { table, lines } of groups) {
    manifest.tables[table] = { rows: (manifest.tables[table]?.rows ?? 0) + lines.length };
  }
}

/** The next links with all their rows in other tables, in one batch; null if no links follow. */
async function readLinks(
  db: Db,
  links: BackupTable,
  perLink: BackupTable[],
  progress: Progress,
  size: RunSize,
): Promise<Rows[] | null> {
  const from = progress.after?.[0] ?? 0;
  const next = await chooseLinks(db, links, perLink, progress, size);
  if (next.upTo === null) return null;
  const isFull = progress.manifest.base === undefined;
  const tables = [links, ...perLink.filter(({ name }) => isFull || !isLeftToBase(name))];
  const changed = changedDays(progress.manifest);
  const days = perLink.filter(({ name }) => changed.tables.includes(name));
  const selects = [
    ...tables.map((table) => {
      const id = table === links ? 'id' : 'link_id';
      return `SELECT ${lineOf(table)} AS line FROM ${quote(table.name)} WHERE ${id} > ?1 AND ${id} <= ?2 ORDER BY ${keyOf(table)}`;
    }),
    // A link that has not been clicked lately costs one row.
    ...days.map(
      (table) =>
        `SELECT ${lineOf(table, 'd.')} AS line FROM link_totals t
          CROSS JOIN ${quote(table.name)} d ON d.link_id = t.link_id AND d.day >= ${changed.first}
          WHERE t.link_id > ?1 AND t.link_id <= ?2 AND t.day >= ${changed.first}`,
    ),
  ];
  const results = await db.$client.batch<{ line: string }>(
    selects.map((select) => db.$client.prepare(select).bind(from, next.upTo)),
  );
  const groups = [...tables, ...days].map((table, index) =>
    toRows(table, results[index]?.results ?? []),
  );
  progress.links = groups[0]?.lines.length;
  progress.ratio = charsOf(groups) / next.chars;
  return groups;
}

/** The last of the links that fill a part, null if there are none, and their estimated length. */
async function chooseLinks(
  db: Db,
  links: BackupTable,
  perLink: BackupTable[],
  { after, links: before = LINKS_PER_PART, ratio = 1 }: Progress,
  { partChars }: RunSize,
): Promise<{ upTo: number | null; chars: number }> {
  const most = Math.min(LINKS_PER_PART, Math.ceil(before * MORE_LINKS));
  const sizes = perLink
    .filter(({ name }) => !COUNTS.test(name))
    .map(
      (table) =>
        `coalesce((SELECT sum(${sizeOf(table)}) FROM ${quote(table.name)} WHERE link_id = links.id), 0)`,
    );
  // A running sum in SQL would read four more rows for each link.
  const { results } = await db.$client
    .prepare(
      `SELECT id, ${[sizeOf(links), ...sizes, CHARS_OF_COUNTS].join(' + ')} AS size FROM links WHERE id > ?1 ORDER BY id LIMIT ${most}`,
    )
    .bind(after?.[0] ?? 0)
    .all<{ id: number; size: number }>();
  const next: { upTo: number | null; chars: number } = { upTo: null, chars: 0 };
  for (const { id, size } of results) {
    if (next.chars >= partChars / Math.max(ratio, LEAST_RATIO)) break;
    next.upTo = id;
    next.chars += size;
  }
  return next;
}

/** The next rows of another table; empty after the last. */
async function readRows(
  db: Db,
  table: BackupTable,
  after: unknown[] | null,
  { partChars }: RunSize,
): Promise<Rows[]> {
  const key = keyOf(table);
  const where =
    after === null
      ? ''
      : `WHERE (${key}) > (${after.map((_, index) => `?${index + 1}`).join(', ')})`;
  const { results } = await db.$client
    .prepare(
      `SELECT line FROM (SELECT line, sum(length(line)) OVER (ORDER BY ${key} ROWS UNBOUNDED PRECEDING) - length(line) AS before
          FROM (SELECT ${lineOf(table)} AS line, ${key} FROM ${quote(table.name)} ${where} ORDER BY ${key} LIMIT ${ROWS_PER_PART}))
        WHERE before < ${partChars}`,
    )
    .bind(...(after ?? []))
    .all<{ line: string }>();
  return [toRows(table, results)];
}

const toRows = ({ name, columns }: BackupTable, results: { line: string }[]): Rows => ({
  table: name,
  columns,
  lines: results.map(({ line }) => line),
});

const charsOf = (groups: readonly Rows[]): number =>
  groups.reduce((sum, { lines }) => sum + lines.reduce((all, line) => all + line.length, 0), 0);

const quote = (name: string): string => `"${name}"`;
const keyOf = ({ key }: BackupTable): string => key.map(quote).join(', ');
/** A row as a JSON array, of several calls if one function may not have so many arguments. */
const lineOf = ({ columns }: BackupTable, prefix = ''): string => {
  const arrays = Array.from({ length: Math.ceil(columns.length / ARGUMENTS_MAX) }, (_, i) => {
    const some = columns.slice(i * ARGUMENTS_MAX, (i + 1) * ARGUMENTS_MAX);
    return `json_array(${some.map((column) => prefix + quote(column)).join(', ')})`;
  });
  // Values are numbers, texts and nulls, so no other bracket stands at the ends of an array.
  return arrays.reduce((line, array) => `rtrim(${line}, ']') || ',' || ltrim(${array}, '[')`);
};
/** A row's approximate length, in SQL. */
const sizeOf = ({ columns, texts }: BackupTable): string =>
  [
    String(NUMBER_CHARS * columns.length),
    ...texts.map((column) => `coalesce(length(${quote(column)}), 0)`),
  ].join(' + ');
