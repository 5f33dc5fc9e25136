import { and, count, desc, eq, lt, ne, or, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema.ts';
import { noteForPublishing } from './outbox.ts';

/** What a new link is made of. Times in ms. */
export type NewLink = {
  code: string;
  isAlias: boolean;
  target: string;
  targetHost: string;
  userId: string | null;
  expiresAt: number | null;
  /** When the target's reputation is asked for again; null = never. */
  recheckAt: number | null;
};

export type InsertOutcome =
  | { ok: true; ids: ReadonlyMap<string, number>; allowance: Record<string, unknown> | undefined }
  | { ok: false; reason: 'refused' }
  | { ok: false; reason: 'code_taken' };

/**
 * Inserts links in one atomic batch: `allowance` (statements of which the last changes one row if the links are allowed and
 * none if not), the links, their outbox rows. Either all of it happens or nothing, so a taken code uses nothing up.
 * In the result `ids` go by code, and `allowance` is the row which the last allowance statement returned.
 */
export async function insertLinks(
  db: Db,
  allowance: readonly D1PreparedStatement[],
  made: readonly NewLink[],
  now: number,
): Promise<InsertOutcome> {
  const rows = JSON.stringify(made);
  const insert = db.$client
    .prepare(
      `INSERT INTO links (code, is_alias, target, target_host, user_id, expires_at, recheck_at, created_at, updated_at)
       SELECT value ->> 'code', value ->> 'isAlias', value ->> 'target', value ->> 'targetHost', value ->> 'userId',
              value ->> 'expiresAt', value ->> 'recheckAt', ?2, ?2
       FROM json_each(?1) WHERE changes() = 1 RETURNING id, code`,
    )
    .bind(rows, now);
  const outbox = db.$client
    .prepare(
      `INSERT INTO link_outbox (link_id, version, queued_at)
       SELECT id, version, ?2 FROM links
       WHERE changes() > 0 AND host = '' AND code IN (SELECT value ->> 'code' FROM json_each(?1))`,
    )
    .bind(rows, now);
  try {
    const results = await db.$client.batch<Record<string, unknown>>([...allowance, insert, outbox]);
    const ids = new Map((results[allowance.length]?.results ?? []).map((row) => [String(row['code']), Number(row['id'])]));
    if (ids.size === 0) return { ok: false, reason: 'refused' };
    return { ok: true, ids, allowance: results[allowance.length - 1]?.results[0] };
  } catch (error) {
    // Both unique indexes of links (the exact code; an alias without regard to case) say it with these words.
    if (error instanceof Error && /UNIQUE constraint failed: (links\.|index 'links_)/.test(error.message))
      return { ok: false, reason: 'code_taken' };
    throw error;
  }
}

/** A link as its owner may see and change it. Times in ms. */
export type OwnLink = {
  id: number;
  code: string;
  target: string;
  targetHost: string;
  status: 'active' | 'disabled' | 'deleted';
  disabledBy: 'owner' | 'admin' | 'blocklist' | 'reputation' | null;
  disabledReason: string | null;
  expiresAt: number | null;
  version: number;
  createdAt: number;
  clicks: number;
};
export type LinkFields = Pick<OwnLink, 'target' | 'targetHost' | 'status' | 'disabledBy' | 'disabledReason' | 'expiresAt'> & {
  /** When the target's reputation is asked for again; left alone where it is not given. */
  recheckAt?: number | null;
};
export type Totals = { links: number; clicks: number; active: number };

const ownColumns = {
  id: links.id,
  code: links.code,
  target: links.target,
  targetHost: links.target_host,
  status: links.status,
  disabledBy: links.disabled_by,
  disabledReason: links.disabled_reason,
  expiresAt: links.expires_at,
  version: links.version,
  createdAt: links.created_at,
  clicks: sql<number>`coalesce(${link_totals.human}, 0)`,
};

/** Null where the code is unknown, deleted or somebody else's. */
export async function readOwnLink(db: Db, userId: string, code: string): Promise<OwnLink | null> {
  const row = await db
    .select(ownColumns)
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .where(and(eq(links.host, ''), eq(links.code, code), eq(links.user_id, userId), ne(links.status, 'deleted')))
    .get();
  return row ?? null;
}

/** At most `limit` links with an id below `before`, newest first. `q` is looked for in code and target, without case (ASCII). */
export function listOwnLinks(db: Db, userId: string, q: string, before: number | null, limit: number): Promise<OwnLink[]> {
  const found = (column: SQLiteColumn) => sql`instr(lower(${column}), lower(${q})) > 0`;
  return db
    .select(ownColumns)
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .where(
      and(
        eq(links.user_id, userId),
        ne(links.status, 'deleted'),
        before === null ? undefined : lt(links.id, before),
        q === '' ? undefined : or(found(links.code), found(links.target)),
      ),
    )
    .orderBy(desc(links.id))
    .limit(limit)
    .all();
}

/** Writes `fields` over the version that `link` has, with its outbox row. False where the link has changed meanwhile. */
export async function writeLink(db: Db, link: OwnLink, fields: LinkFields, now: number): Promise<boolean> {
  const [written] = await db.batch([
    db
      .update(links)
      .set({
        target: fields.target,
        target_host: fields.targetHost,
        status: fields.status,
        disabled_by: fields.disabledBy,
        disabled_reason: fields.disabledReason,
        expires_at: fields.expiresAt,
        ...(fields.recheckAt === undefined ? {} : { recheck_at: fields.recheckAt }),
        version: link.version + 1,
        updated_at: now,
      })
      .where(and(eq(links.id, link.id), eq(links.version, link.version)))
      .returning({ id: links.id }),
    noteForPublishing(db, eq(links.id, link.id), now),
  ]);
  return written.length === 1;
}

/** Over all links of the member that are not deleted; `active` have more than 0 clicks (decision 22). */
export async function readTotals(db: Db, userId: string, _now: number): Promise<Totals> {
  const row = await db
    .select({
      links: count(),
      clicks: sql<number>`coalesce(sum(${link_totals.human}), 0)`,
      active: sql<number>`count(case when ${link_totals.human} > 0 then 1 end)`,
    })
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .where(and(eq(links.user_id, userId), ne(links.status, 'deleted')))
    .get();
  return row ?? { links: 0, clicks: 0, active: 0 };
}

/** True where the code names a link that has not been deleted. */
export async function codeExists(db: Db, code: string): Promise<boolean> {
  const row = await db.$client
    .prepare("SELECT 1 FROM links WHERE host = '' AND code = ?1 AND status <> 'deleted'")
    .bind(code)
    .first();
  return row !== null;
}
