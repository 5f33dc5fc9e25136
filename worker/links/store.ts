import { and, count, desc, eq, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { PAGE_LIMIT } from '#worker/db/paginate.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { link_outbox, links } from '#worker/db/schema.ts';
import { insertClaims } from './claim-links.ts';
import { isReleasable, releaseCode, removeFromOutbox, type FormerLink } from './former-link.ts';
import type { TakeAllowance } from './link-allowance.ts';
import { addToOutbox } from './outbox.ts';

/** The columns of a link to insert. Times in ms. */
export type NewLink = {
  code: string;
  isAlias: boolean;
  target: string;
  targetHost: string;
  userId: string | null;
  expiresAt: number | null;
  /** When to check the target's reputation again; null = never. */
  recheckAt: number | null;
  /** The hash of the token that puts the link into an account later; null for a link that has an owner. */
  claimHash: string | null;
};

/** `ids` maps codes to link ids. `allowance` is the row that the allowance's statements returned. */
export type InsertResult =
  | { ok: true; ids: ReadonlyMap<string, number>; allowance: Record<string, unknown> | undefined }
  | { ok: false; reason: 'allowance_used_up' | 'code_taken' };

/**
 * Inserts links with their outbox rows and takes them off an allowance, in one atomic batch: all of it happens or nothing.
 * A taken code therefore costs nothing. `former` is the deleted link that gives its code to the one new link.
 */
export async function insertLinks(
  db: Db,
  newLinks: readonly NewLink[],
  take: TakeAllowance,
  now: number,
  former: FormerLink | null = null,
): Promise<InsertResult> {
  if (new Set(newLinks.map(({ code }) => code)).size < newLinks.length) return { ok: false, reason: 'code_taken' };
  const areFree = codesAreFree(newLinks, former);
  const canInsert = former === null ? areFree : sql`${areFree} and ${isReleasable(former)}`;
  const version = former === null ? 1 : former.version + 1;
  const rows = JSON.stringify(newLinks);
  const { allowance, inserted } = await runNamedBatch(db, {
    allowance: take(newLinks.length, canInsert),
    released: former === null ? [] : [releaseCode(former, now, areFree)],
    inserted: sql<{ id: number; code: string }>`insert into ${links}
        (code, is_alias, target, target_host, user_id, expires_at, recheck_at, version, created_at, updated_at)
      select value ->> 'code', value ->> 'isAlias', value ->> 'target', value ->> 'targetHost', value ->> 'userId',
        value ->> 'expiresAt', value ->> 'recheckAt', ${version}, ${now}, ${now}
      from json_each(${rows}) where changes() = 1 and ${areFree} returning id, code`,
    queued: sql`insert into ${link_outbox} (link_id, version, queued_at)
      select id, version, ${now} from ${links}
      where changes() > 0 and host = '' and code in (select value ->> 'code' from json_each(${rows}))`,
    claims: insertClaims(newLinks, now),
    unqueued: former === null ? [] : [removeFromOutbox(former)],
  });
  if (inserted.rows.length > 0)
    return { ok: true, ids: new Map(inserted.rows.map(({ id, code }) => [code, id])), allowance: allowance.rows.at(-1) };
  return { ok: false, reason: allowance.rows.length > 0 ? 'code_taken' : 'allowance_used_up' };
}

/**
 * True in SQL while no link but `former` has one of these codes, or an alias that differs from one of these aliases only by
 * case.
 */
function codesAreFree(newLinks: readonly NewLink[], former: FormerLink | null): SQL {
  const codes = JSON.stringify(newLinks.map(({ code }) => code));
  const aliases = JSON.stringify(newLinks.filter(({ isAlias }) => isAlias).map(({ code }) => code));
  const isOther = sql`link.id is not ${former?.id ?? null}`;
  // CROSS JOIN keeps SQLite from scanning `links`: for each code it looks the link up in an index.
  return sql`(not exists (select 1 from json_each(${codes}) as item cross join ${links} as link
      on link.host = '' and link.code = item.value and ${isOther})
    and not exists (select 1 from json_each(${aliases}) as item cross join ${links} as link
      on link.host = '' and lower(link.code) = lower(item.value) and link.is_alias = 1 and ${isOther}))`;
}

/** A link as its owner can see and change it. Times in ms. */
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
  /** When to check the target's reputation again; unchanged if absent. */
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

/** The member's link with this code. Null if the code is unknown, deleted or somebody else's. */
export async function readOwnLink(db: Db, userId: string, code: string): Promise<OwnLink | null> {
  const row = await db
    .select(ownColumns)
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .where(and(eq(links.host, ''), eq(links.code, code), eq(links.user_id, userId), ne(links.status, 'deleted')))
    .get();
  return row ?? null;
}

/** The rows of one page, newest first. `q` is part of the code or the target, ignoring case (ASCII); '' matches every link. */
export function listOwnLinks(
  db: Db,
  { userId, q, beforeId }: { userId: string; q: string; beforeId: number | null },
): Promise<OwnLink[]> {
  const contains = (column: SQLiteColumn) => sql`instr(lower(${column}), lower(${q})) > 0`;
  return db
    .select(ownColumns)
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .where(
      and(
        eq(links.user_id, userId),
        ne(links.status, 'deleted'),
        beforeId === null ? undefined : lt(links.id, beforeId),
        q === '' ? undefined : or(contains(links.code), contains(links.target)),
      ),
    )
    .orderBy(desc(links.id))
    .limit(PAGE_LIMIT)
    .all();
}

/** Writes `fields` and an outbox row, unless the link is no longer at the version of `link`. False if it has changed. */
export async function updateLink(db: Db, link: OwnLink, fields: LinkFields, now: number): Promise<boolean> {
  const { updated } = await runNamedBatch(db, {
    updated: db
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
      .where(and(eq(links.id, link.id), eq(links.version, link.version))),
    queued: addToOutbox(db, eq(links.id, link.id), now),
  });
  return updated.changes === 1;
}

/** Totals over the member's links that are not deleted. `active` have more than 0 clicks (docs/decisions.md#d22). */
export async function readTotals(db: Db, userId: string): Promise<Totals> {
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

/** True if a link with this code exists and is not deleted. */
export async function codeExists(db: Db, code: string): Promise<boolean> {
  const row = await db
    .select({ id: links.id })
    .from(links)
    .where(and(eq(links.host, ''), eq(links.code, code), ne(links.status, 'deleted')))
    .get();
  return row !== undefined;
}
