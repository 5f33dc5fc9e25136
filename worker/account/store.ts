import { type SQL, and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import type { HistoryName, LinkSettings } from '#contract/links/link-settings.ts';
import { clearNotes, clearTarget } from '#worker/links/settings/clear-link.ts';
import { HISTORY } from '#worker/links/settings/link-settings.ts';
import { readShardTotals } from '#worker/links/read/shard-totals.ts';
import type { Db } from '#worker/db/client.ts';
import { auth_users, dev_mails } from '#worker/db/schema-auth.ts';
import { historyColumns, settingColumns, withSettings } from '#worker/db/link-settings.ts';
import { healthColumn } from '#worker/db/link-health.ts';
import { link_cards } from '#worker/db/schema-cards.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { posts } from '#worker/db/schema-blog.ts';
import {
  api_keys,
  idempotent_requests,
  webhook_deliveries,
  webhook_endpoints,
} from '#worker/db/schema-api.ts';
import {
  account_days,
  account_totals,
  rolled_up_links,
  weekly_mails,
} from '#worker/db/schema-accounts.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { link_imports } from '#worker/db/schema-link-imports.ts';
import { link_words } from '#worker/db/schema-links.ts';
import { link_tags, tags } from '#worker/db/schema-tags.ts';
import { shared_reports } from '#worker/db/schema-shared-reports.ts';
import { link_views, utm_templates } from '#worker/db/schema-presets.ts';
import { qr_presets } from '#worker/db/schema-presets.ts';
import { abuse_reports, blocklist, link_holds } from '#worker/db/schema-moderation.ts';
import { subscriptions, users } from '#worker/db/schema-users.ts';
import { counters } from '#worker/db/schema-system.ts';
import { links } from '#worker/db/schema-links.ts';
import { earlierCodesColumn } from '#worker/edge/earlier-codes.ts';
import { isCounterOf } from '#worker/plans/account-counters.ts';
import { hasAnotherAdmin } from '#worker/users/user-state.ts';

const LINKS_PER_QUERY = 2000;

/**
 * Returns every link of a user, deleted ones included, oldest first, with its totals. Reads in
 * pages that fit a D1 result.
 */
export async function readAllLinks(db: Db, userId: string) {
  const all: Awaited<ReturnType<typeof linksAfter>> = [];
  for (;;) {
    const page = await linksAfter(db, userId, all.at(-1)?.link.id ?? 0);
    all.push(...page);
    if (page.length < LINKS_PER_QUERY) return all;
  }
}

const namesOfTags =
  sql<string>`(select json_group_array(name) from (select ${tags.name} as name from ${link_tags}
  join ${tags} on ${tags.id} = ${link_tags.tag_id} where ${link_tags.link_id} = ${links.id} order by lower(${tags.name})))`.mapWith(
    (json: string): string[] => JSON.parse(json),
  );

// Excludes the documents of the row, which can be kilobytes each.
const { link_id, human, visitors, bot, prefetch, first_at, last_at } = getTableColumns(link_totals);
const totals = { link_id, human, visitors, bot, prefetch, first_at, last_at };

type FormerState = Pick<LinkSettings, HistoryName> & {
  until: number;
  code: string;
  target: string;
  status: string;
  tags: string[];
};

/** The states that changes of the link replaced, as JSON, oldest first. */
const history = sql<string>`(select json_group_array(${withSettings(
  sql`json_object('until', at, 'code', code, 'target', target, 'status', status,
  'tags', (select json_group_array(name) from ${tags} where id in (select value from json_each(${link_changes}.tags))))`,
  HISTORY,
  historyColumns,
)}) from ${link_changes} where ${link_changes.link_id} = ${links.id})`.mapWith(
  (json: string): FormerState[] => JSON.parse(json),
);

export type ExportableLink = Awaited<ReturnType<typeof linksAfter>>[number];

/** The next links after an id, of those that `where` selects. One page fits a D1 result. */
export async function linksAfter(db: Db, userId: string, id: number, where?: SQL) {
  const rows = await db
    .select({
      link: links,
      settings: settingColumns,
      totals,
      tags: namesOfTags,
      history,
      earlierCodes: earlierCodesColumn,
      health: healthColumn,
      card: {
        title: link_cards.title,
        description: link_cards.description,
        image: link_cards.image,
      },
    })
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .leftJoin(link_cards, eq(link_cards.link_id, links.id))
    .where(and(eq(links.user_id, userId), gt(links.id, id), where))
    .orderBy(asc(links.id))
    .limit(LINKS_PER_QUERY);
  const elsewhere = await readShardTotals(
    db,
    rows.map(({ link }) => link),
  );
  for (const row of rows) row.totals = elsewhere.get(row.link.id) ?? row.totals;
  return rows;
}

export async function readCycleAnchor(db: Db, userId: string): Promise<number | undefined> {
  const row = await db
    .select({ anchor: subscriptions.cycle_anchor })
    .from(subscriptions)
    .where(eq(subscriptions.user_id, userId))
    .get();
  return row?.anchor;
}

/** True in SQL if the user may delete the account: neither suspended nor the last administrator. */
export function mayDelete(userId: string): SQL {
  return sql`exists (select 1 from ${users} where id = ${userId} and suspended_at is null
    and (role <> 'admin' or ${hasAnotherAdmin(userId)}))`;
}

export const deleteUser = (userId: string, when: SQL): SQL =>
  sql`delete from ${users} where id = ${userId} and ${when} returning id`;

/**
 * True in SQL once the user's row is deleted: the condition of every later statement of the batch.
 */
export const isUserDeleted = (userId: string): SQL =>
  sql`not exists (select 1 from ${users} where id = ${userId})`;

/**
 * Deletes the user's links and returns their ids: the targets are cleared, and the codes stay
 * taken. The totals stay.
 */
export function deleteLinks(userId: string, now: number, when: SQL): SQL<{ id: number }> {
  return sql<{
    id: number;
  }>`update ${links} set status = 'deleted', ${clearTarget()}, recheck_at = null,
    disabled_by = null, disabled_reason = null, version = version + 1,
    updated_at = ${now} where user_id = ${userId} and status <> 'deleted' and ${when} returning id`;
}

/**
 * Deletes the holds of deleted links: their reasons are text that administrators wrote about the
 * user.
 */
export const deleteHolds = (userId: string, when: SQL): SQL => sql`delete from ${link_holds}
  where link_id in (select id from ${links} where user_id = ${userId} and status = 'deleted') and ${when}`;

/** Clears the targets of links that the user deleted earlier. */
export const clearDeletedTargets = (userId: string, when: SQL): SQL =>
  sql`update ${links} set ${clearTarget()} where user_id = ${userId} and status = 'deleted' and ${when}`;

/**
 * Moves kept links to `label`, so that an administrator can act on all of them. Deleted links lose
 * their owner. All lose their external id and the user's notes.
 */
export const relabelLinks = (userId: string, label: string, when: SQL): SQL =>
  sql`update ${links} set user_id = iif(status = 'deleted', null, ${label}), words = '',
    ${clearNotes()} where user_id = ${userId} and ${when}`;

/** Deletes the history of the user's links, which contains former targets, titles and notes. */
export const deleteHistory = (userId: string, when: SQL): SQL =>
  sql`delete from ${link_changes} where link_id in (select id from ${links} where user_id = ${userId}) and ${when}`;

/**
 * Deletes what roll-ups have counted of the user's links for their account. Runs before the links
 * lose their owner: otherwise a job would subtract those clicks from the account.
 */
export const deleteRolledUpLinks = (userId: string, when: SQL): SQL =>
  sql`delete from ${rolled_up_links} where user_id = ${userId} and link_id in (select id from ${links} where user_id = ${userId}) and ${when}`;

export const ownedBy = (userId: string): SQL => sql`${links.user_id} = ${userId}`;

/**
 * Tables whose rows of a user are deleted with the account. Tables that can have many rows for each
 * link are not among them.
 */
export const OWNED_TABLES = [
  subscriptions,
  api_keys,
  webhook_endpoints,
  idempotent_requests,
  account_totals,
  account_days,
  weekly_mails,
  tags,
  link_views,
  qr_presets,
  utm_templates,
  shared_reports,
] as const;

/**
 * Deletes API keys, webhooks, tags, views, QR presets, shared reports and drafts, and removes the
 * user's id and email everywhere else. The exception is the audit log, which `forgetUserInLog`
 * rewrites. Published posts stay without an author; decisions stay under `label`.
 */
export function anonymizeUser(userId: string, email: string, label: string, when: SQL): SQL[] {
  return [
    sql`delete from ${webhook_deliveries} where endpoint_id in (select id from ${webhook_endpoints} where user_id = ${userId}) and ${when}`,
    sql`delete from ${link_tags} where tag_id in (select id from ${tags} where user_id = ${userId}) and ${when}`,
    ...[...OWNED_TABLES, link_words, link_imports].map(
      (table) => sql`delete from ${table} where user_id = ${userId} and ${when}`,
    ),
    sql`delete from ${posts} where author_id = ${userId} and published = 0 and ${when}`,
    sql`update ${posts} set author_id = null where author_id = ${userId} and ${when}`,
    sql`update ${blocklist} set added_by = ${label} where added_by = ${userId} and ${when}`,
    sql`update ${abuse_reports} set closed_by = ${label} where closed_by = ${userId} and ${when}`,
    sql`delete from ${counters} where ${isCounterOf(userId)} and ${when}`,
    sql`delete from ${dev_mails} where ((${email} <> '' and "to" = ${email})
      or "to" in (select email from ${auth_users} where id = ${userId})) and ${when}`,
  ];
}
