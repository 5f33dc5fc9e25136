import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { DomainId } from '#contract/codes/domain-key.ts';

/**
 * The domains on which links can be made besides the deployment's own short host. The row of a
 * deleted domain stays, because its links stay and its id is never used again.
 */
export const domains = sqliteTable(
  'domains',
  {
    id: text().$type<DomainId>().primaryKey(),
    /**
     * '' for a host of the operator (SHORT_HOSTS), on which every member can make links; `deleted`
     * after its account was deleted.
     */
    owner_id: text().notNull(),
    /**
     * The host in its short URLs, in lower case and as an A-label. It stays when the host is lost.
     */
    name: text().notNull(),
    status: text({ enum: ['active', 'suspended', 'deleted'] })
      .notNull()
      .default('active'),
    suspended_reason: text(),
    /** Where the root of the host leads: an href, or '' for the page that names this service. */
    root_url: text().notNull().default(''),
    /** Where unknown codes lead: an href, or '' for the 404 page. */
    not_found_url: text().notNull().default(''),
    /** Rises with every change, and orders the copies in KV. */
    version: integer().notNull().default(1),
    created_at: integer().notNull(),
  },
  (t) => [index('domains_by_owner').on(t.owner_id)],
);

/**
 * The host names that lead to a domain now. Each belongs to one domain: its owner has proven it, or
 * the operator has configured it. `saas_` columns hold what the platform last said about the
 * certificate of a member's host; they are empty for hosts of the operator.
 */
export const domain_hosts = sqliteTable(
  'domain_hosts',
  {
    host: text().primaryKey(),
    domain_id: text().$type<DomainId>().notNull(),
    saas_id: text().notNull().default(''),
    saas_status: text().notNull().default(''),
    ssl_status: text().notNull().default(''),
    /** Why the host does not work, as a reason that pages turn into a sentence; '' if it does. */
    fault: text().notNull().default(''),
    /** When the owner's TXT record was last seen, in ms; null for a host of the operator. */
    proven_at: integer(),
    /** When the platform first said that the host is active; null before. */
    active_at: integer(),
    /** Since when an active host fails its checks; null while it does not. */
    failing_since: integer(),
    /** How many mails the owner has got about that. */
    mails: integer().notNull().default(0),
    checks: integer().notNull().default(0),
    /** When a job checks the host next; null for never. */
    next_check_at: integer(),
    /** The TXT value that proved the host. It counts even after AUTH_SECRET has changed. */
    proof: text().notNull().default(''),
    /** What the last check saw in DNS, as JSON; '' before the first. */
    seen: text().notNull().default(''),
    checked_at: integer(),
    created_at: integer().notNull(),
  },
  (t) => [
    index('domain_hosts_by_domain').on(t.domain_id),
    index('domain_hosts_to_check')
      .on(t.next_check_at)
      .where(sql`next_check_at is not null`),
  ],
);

/**
 * Hosts whose record in KV may be older than D1. Triggers of the migration write it whenever a host,
 * its domain or the suspension of its owner changes; a job writes the record again.
 */
export const host_outbox = sqliteTable(
  'host_outbox',
  { host: text().primaryKey(), queued_at: integer().notNull() },
  (t) => [index('host_outbox_by_queued').on(t.queued_at)],
);

/**
 * Hosts that accounts want to use and have not proven. Any number of accounts may claim the same
 * host: the first to prove it gets it.
 */
export const domain_claims = sqliteTable(
  'domain_claims',
  {
    host: text().notNull(),
    owner_id: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    checked_at: integer(),
    /** What the last check saw, as JSON without secrets; '' before the first. */
    seen: text().notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.host, t.owner_id] }),
    index('domain_claims_by_owner').on(t.owner_id),
    index('domain_claims_by_expires').on(t.expires_at),
  ],
);

/** Offers of a domain to another account, which that account can accept. One for each domain. */
export const domain_transfers = sqliteTable(
  'domain_transfers',
  {
    domain_id: text().$type<DomainId>().primaryKey(),
    from_id: text().notNull(),
    /** '' if nobody here has the address. */
    to_id: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (t) => [
    index('domain_transfers_by_to').on(t.to_id),
    index('domain_transfers_by_expires').on(t.expires_at),
  ],
);

/**
 * Hostnames that are still to be deleted at the platform. A hostname that stays there would still
 * lead to this deployment, and counts against the quota.
 */
export const domain_removals = sqliteTable('domain_removals', {
  saas_id: text().primaryKey(),
  host: text().notNull(),
  tries: integer().notNull().default(0),
  next_try_at: integer().notNull(),
});
