import type { Db } from '#worker/db/client.ts';

/**
 * How a backup treats a table. `copy`: its rows are copied and restored. `clear`: its rows are not
 * copied, and a restore empties it. `leave`: its rows are not copied, and a restore does not touch
 * it.
 */
export type Choice = 'copy' | 'clear' | 'leave';

/**
 * Every table has a choice (backup.test.ts). One without is copied, because a lost table is
 * worse than a large copy. No session, no visitor id, no mail and no signing key is copied
 * (SECURITY.md A20).
 */
export const CHOICES: Readonly<Record<string, Choice>> = {
  users: 'copy',
  subscriptions: 'copy',
  deleted_users: 'copy',
  address_standing: 'copy',
  auth_users: 'copy',
  auth_identities: 'copy',
  auth_recovery_codes: 'copy',
  auth_passkeys: 'copy',
  links: 'copy',
  domains: 'copy',
  domain_hosts: 'copy',
  link_holds: 'copy',
  link_destinations: 'copy',
  link_cards: 'copy',
  link_health: 'copy',
  link_claims: 'copy',
  link_totals: 'copy',
  link_months: 'copy',
  link_days_0: 'copy',
  link_days_1: 'copy',
  link_days_2: 'copy',
  link_days_3: 'copy',
  link_tags: 'copy',
  link_changes: 'copy',
  link_imports: 'copy',
  // A restored database keeps the ids that its clients know.
  link_id_keys: 'copy',
  link_views: 'copy',
  tags: 'copy',
  qr_presets: 'copy',
  utm_templates: 'copy',
  // Their ids: a window that the queue delivers again after a restore must not be counted twice.
  posts: 'copy',
  abuse_reports: 'copy',
  blocklist: 'copy',
  admin_log: 'copy',
  api_keys: 'copy',
  webhook_endpoints: 'copy',
  shared_reports: 'copy',
  app_link_files: 'copy',
  weekly_mails: 'copy',
  // Data that a restored database must not use: sessions and tokens of another time, and the
  // progress of jobs.
  auth_sessions: 'clear',
  auth_one_time_tokens: 'clear',
  auth_flows: 'clear',
  auth_pending_sign_ins: 'clear',
  auth_factor_resets: 'clear',
  auth_passkey_challenges: 'clear',
  admin_claims: 'clear',
  // Its owner enters the host again, or offers the domain again.
  domain_claims: 'clear',
  domain_transfers: 'clear',
  idempotent_requests: 'clear',
  counters: 'clear',
  job_runs: 'clear',
  // A job writes the words again, and the totals of an account are computed when they are read.
  link_words: 'clear',
  account_totals: 'clear',
  account_days: 'clear',
  rolled_up_links: 'clear',
  // Deliveries describe events after the copy, including clicks that the restored database does not
  // have.
  webhook_deliveries: 'clear',
  webhook_click_windows: 'clear',
  link_outbox: 'clear',
  link_check_steps: 'clear',
  // Keys, and data that waits for a person. Missing keys are created again.
  auth_keys: 'leave',
  // Triggers fill it while a restore writes hosts.
  host_outbox: 'leave',
  // The platform still has these hostnames, whatever the database has.
  domain_removals: 'leave',
  check_hosts: 'leave',
  visitor_keys: 'leave',
  click_faults: 'leave',
  set_aside_windows: 'leave',
  system_facts: 'leave',
  auth_flow_failures: 'leave',
  dev_mails: 'leave',
};

/**
 * Columns that are not copied. Recent clicks may be kept for 30 days, and a copy is kept for a
 * year.
 */
const OMITTED: Readonly<Record<string, readonly string[]>> = {
  link_totals: ['recent', 'visitor_sets'],
};

/**
 * These tables are never emptied, because the Worker keeps running during a restore. An account
 * deleted since the copy stays deleted, and a suspended address that signs up meanwhile is
 * suspended.
 */
export const MERGED: ReadonlySet<string> = new Set(['deleted_users', 'address_standing']);

export type BackupTable = {
  name: string;
  choice: Choice;
  columns: string[];
  texts: string[];
  key: string[];
};

/** Tables of the platform, of SQLite, and of a running restore. */
const FOREIGN = /^(?:_cf_|d1_|sqlite_|restore_)/;

/**
 * The tables that the database has now. A migration that adds a table only needs to add its choice.
 */
export async function readTables(db: Db): Promise<BackupTable[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT t.name AS "table", c.name AS "column", c.type, c.pk FROM sqlite_master t
        -- The platform's own tables may not be looked at.
        CROSS JOIN pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*' ORDER BY t.name, c.cid`,
    )
    .all<{ table: string; column: string; type: string; pk: number }>();
  const tables = new Map<string, BackupTable>();
  for (const { table: name, column, type, pk } of results) {
    if (FOREIGN.test(name)) continue;
    const table = tables.get(name) ?? {
      name,
      choice: CHOICES[name] ?? 'copy',
      columns: [],
      texts: [],
      key: [],
    };
    tables.set(name, table);
    if (pk > 0) table.key[pk - 1] = column;
    if (OMITTED[name]?.includes(column)) continue;
    table.columns.push(column);
    if (type.toUpperCase() === 'TEXT') table.texts.push(column);
  }
  return [...tables.values()];
}

/** True from the first change of a restore until it has finished, also if it was interrupted. */
export async function isBeingRestored(db: Db): Promise<boolean> {
  const table = await db.$client
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name GLOB 'restore_*'")
    .first();
  return table !== null;
}

/**
 * The name of the database's last migration, such as '0027_baseline.sql'. Its number orders
 * schemas.
 */
export async function readSchemaVersion(db: Db): Promise<string> {
  return (
    (await db.$client
      .prepare('SELECT name FROM d1_migrations ORDER BY name DESC LIMIT 1')
      .first<string>('name')) ?? ''
  );
}

/** The highest id that each table with generated ids has assigned. */
export async function readSequences(db: Db): Promise<Record<string, number>> {
  const { results } = await db.$client
    .prepare('SELECT name, seq FROM sqlite_sequence')
    .all<{ name: string; seq: number }>();
  return Object.fromEntries(
    results.filter(({ name }) => !FOREIGN.test(name)).map(({ name, seq }) => [name, seq]),
  );
}
