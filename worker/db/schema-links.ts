import { sql, type SQL } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { DomainId } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { makeSettingColumns } from './setting-columns.ts';
import { storedLinkStatus } from './link-status.ts';
import { similarCodeSql } from '#contract/codes/similar-codes.ts';

/**
 * Links that are listed for their owner. In SQL text, because SQLite uses a partial index only if
 * the query repeats its condition.
 */
const isKept = sql`status <> 'deleted'`;

/** A released code may be used again, so the unique indexes of codes leave its row out. */
const isHeldCode = sql`released_at is null`;

/**
 * The source of truth for every short link; edge records in KV are copies. `code` is the link's key
 * (contract/codes/link-key.ts). `version` rises with every change and orders the copies. A deleted link
 * keeps its row, so that its code is never given to another owner.
 */
export const links = sqliteTable(
  'links',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    code: text().notNull(),
    /** The domain of the key in `code`; '' for the deployment's own short host. */
    domain_id: text()
      .$type<DomainId>()
      .generatedAlwaysAs(
        sql`case substr(code, 2, 1) when '.' then substr(code, 1, 12) else '' end`,
        {
          mode: 'virtual',
        },
      ),
    is_alias: integer({ mode: 'boolean' }).notNull().default(false),
    target: text().notNull(),
    target_host: text().notNull(),
    user_id: text(),
    /** The id of the link in the owner's own system, set through the public API. */
    external_id: text(),
    /** 'conditional' or 'guarded' if an active link does not redirect everyone (link-status.ts). */
    status: storedLinkStatus().notNull().default('active'),
    disabled_by: text({ enum: ['owner', 'admin', 'blocklist', 'reputation'] }),
    disabled_reason: text(),
    recheck_at: integer(),
    version: integer().notNull().default(1),
    /** Rises with every change of the notes, which keep `version`. */
    notes_version: integer().notNull().default(0),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    title: text().notNull().default(''),
    note: text().notNull().default(''),
    favorite: integer({ mode: 'boolean' }).notNull().default(false),
    archived: integer({ mode: 'boolean' }).notNull().default(false),
    /**
     * The link's words in `link_words`, each after a space (links/words/index-words.ts); null
     * before the link was first indexed.
     */
    words: text(),
    ...makeSettingColumns(),
    /** When the link's card was last changed (link_cards); null if it has none. */
    card_at: integer(),
    /**
     * The random name of the Durable Object that counts; '' if there never was a limit. The link's
     * id would not do: D1 assigns it again after a restore.
     */
    limit_id: text().notNull().default(''),
    /** The last count that the object reported. */
    limit_used: integer().notNull().default(0),
    /** When its destination is checked next. Only for a watched link; 0 for as soon as possible. */
    next_check_at: integer().notNull().default(0),
    /**
     * Whether the 404 page may suggest the link for a code that differs only by case or look-alike
     * letters (redirect/suggest-code.ts).
     */
    suggest_on_typo: integer({ mode: 'boolean' }).notNull().default(false),
    /**
     * Set for a row that only keeps an earlier code of another link: the id of that link
     * (edge/earlier-codes.ts). Everything else sees such a row as a deleted link without an owner,
     * so that no Worker, even an older one, assigns its code again.
     */
    earlier_code_of: integer(),
    /**
     * Clicks and last click as a job last read them (links/list/rank-links.ts), because lists are
     * ordered by an index of this table.
     */
    ranked_clicks: integer().notNull().default(0),
    ranked_last_click_at: integer().notNull().default(0),
    /** The database that holds the link's clicks (db/shards.ts). It never changes. */
    shard: integer().notNull().default(0),
    /**
     * Clicks that another service counted before the link was imported from there. They are never
     * part of the counts. Null if unknown.
     */
    imported_clicks: integer(),
    /**
     * The format of the file that the link was imported from (contract/files/import.ts); null for other
     * links.
     */
    imported_from: text(),
    /** When the link was imported, or null. `created_at` is then the time in its file. */
    imported_at: integer(),
    /** When the target last changed; null if it never did. */
    target_changed_at: integer(),
    /**
     * The link's recent changes count against its limit of changes until this time
     * (links/write/change-allowance.ts).
     */
    changes_until: integer().notNull().default(0),
    /**
     * When a deleted link released its code to a new link of the same owner (edge/former-link.ts).
     * It keeps its counts, and late clicks still count for it.
     */
    released_at: integer(),
  },
  (t) => [
    uniqueIndex('links_by_code').on(t.code).where(isHeldCode),
    // Two aliases must not differ only by case; generated codes may (docs/decisions.md#d14).
    uniqueIndex('links_by_alias')
      .on(sql`lower(${t.code})`)
      .where(sql`is_alias = 1 and released_at is null`),
    // All held codes, because a code with a second similar one is never suggested.
    index('links_by_similar_code')
      .on(sql.raw(similarCodeSql('code')))
      .where(isHeldCode),
    index('links_by_user').on(t.user_id, t.id),
    index('links_by_target_host').on(t.target_host),
    // A deleted link releases its external id.
    uniqueIndex('links_by_external_id')
      .on(t.user_id, t.external_id)
      .where(sql`${t.external_id} is not null and ${t.status} <> 'deleted'`),
    index('links_to_recheck')
      .on(t.recheck_at)
      .where(sql`${t.recheck_at} is not null`),
    index('links_to_check')
      .on(t.next_check_at)
      .where(sql`watch <> 'off'`),
    index('links_watched')
      .on(t.user_id, t.archived, t.created_at)
      .where(sql`watch <> 'off' and status <> 'deleted'`),
    // Links whose end date passes (events/record-ended-links.ts).
    index('links_by_end')
      .on(t.expires_at)
      .where(sql`${t.expires_at} is not null`),
    // One index per order and per filter of a member's list, so that a page costs the same in an
    // account of any size.
    index('links_listed').on(t.user_id, t.archived, t.created_at).where(isKept),
    index('links_listed_by_clicks').on(t.user_id, t.archived, t.ranked_clicks).where(isKept),
    index('links_listed_by_last_click')
      .on(t.user_id, t.archived, t.ranked_last_click_at)
      .where(isKept),
    index('links_listed_by_code')
      .on(t.user_id, t.archived, sql`code collate nocase`)
      .where(isKept),
    index('links_listed_by_host')
      .on(t.user_id, t.archived, t.target_host, t.created_at)
      .where(isKept),
    index('links_listed_by_domain')
      .on(t.user_id, t.domain_id, t.archived, t.created_at)
      .where(sql`domain_id <> '' and status <> 'deleted'`),
    index('links_on_domain')
      .on(t.domain_id)
      .where(sql`domain_id <> ''`),
    index('links_favorite')
      .on(t.user_id, t.archived, t.created_at)
      .where(sql`favorite = 1 and status <> 'deleted'`),
    index('links_disabled')
      .on(t.user_id, t.archived, t.created_at)
      .where(sql`status = 'disabled'`),
    index('links_ending')
      .on(t.user_id, t.archived, t.expires_at)
      .where(sql`expires_at is not null and status = 'active'`),
    // The active links that the index before leaves out, by the status that the query names.
    index('links_ending_conditional')
      .on(t.user_id, t.archived, t.expires_at)
      .where(sql`expires_at is not null and status = 'conditional'`),
    index('links_with_card')
      .on(t.user_id)
      .where(sql`card_at is not null and status <> 'deleted'`),
    index('links_ending_guarded')
      .on(t.user_id, t.archived, t.expires_at)
      .where(sql`expires_at is not null and status = 'guarded'`),
    index('links_trashed')
      .on(t.user_id, t.updated_at)
      .where(sql`status = 'deleted'`),
    index('links_earlier_codes')
      .on(t.earlier_code_of)
      .where(sql`earlier_code_of is not null`),
  ],
);

/**
 * Links whose edge record in KV may be older than D1. Written in the batch that changes the link; a
 * job retries failed writes.
 */
export const link_outbox = sqliteTable(
  'link_outbox',
  {
    link_id: integer().primaryKey(),
    version: integer().notNull(),
    queued_at: integer().notNull(),
    attempts: integer().notNull().default(0),
  },
  (t) => [index('link_outbox_by_queued').on(t.queued_at)],
);

/**
 * SHA-256 of the secret with which the browser that created a link can move it into an account,
 * once, before `expires_at`.
 */
export const link_claims = sqliteTable(
  'link_claims',
  {
    link_id: integer().primaryKey(),
    token_hash: text().notNull(),
    expires_at: integer().notNull(),
  },
  (t) => [index('link_claims_by_expires').on(t.expires_at)],
);

/**
 * Where else a link leads: its fallback and the destinations of its rules. Moderation finds links by
 * these hosts, as by `links.target_host`. The table is WITHOUT ROWID in the migration.
 */
export const link_destinations = sqliteTable(
  'link_destinations',
  { link_id: integer().notNull(), host: text().notNull(), href: text().notNull() },
  (t) => [
    primaryKey({ columns: [t.link_id, t.href] }),
    index('link_destinations_by_host').on(t.host),
  ],
);

/**
 * The words of a link's code, title, target and note (links/words/words.ts). Words of tags are
 * found through the tags.
 */
export const link_words = sqliteTable(
  'link_words',
  { user_id: text().notNull(), word: text().notNull(), link_id: integer().notNull() },
  (t) => [primaryKey({ columns: [t.user_id, t.word, t.link_id] })],
);

/**
 * True in SQL if a row of `links` is the link with this key. A deleted link that has released its
 * code is not. `name` is the name of the table in the statement. The condition repeats that of the
 * index `links_by_code`, so that SQLite uses it.
 */
export const hasKey = (key: SQL | LinkKey, name?: string): SQL =>
  sql`${rowOf(name)}.code = ${key} and ${rowOf(name)}.released_at is null`;

/** `hasKey` for several keys; `keys` is a list or a query in parentheses. */
export const hasOneKey = (keys: SQL): SQL =>
  sql`${links}.code in ${keys} and ${links}.released_at is null`;

/** True in SQL if a row of `links` is an alias that differs from this key at most by case. */
export const isAliasLike = (key: SQL | LinkKey, name: string): SQL =>
  sql`lower(${rowOf(name)}.code) = lower(${key}) and ${rowOf(name)}.is_alias = 1
    and ${rowOf(name)}.released_at is null`;

const rowOf = (name?: string): SQL => (name === undefined ? sql`${links}` : sql.raw(name));
