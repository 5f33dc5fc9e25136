import { sql } from 'drizzle-orm';
import { placeHold } from '#worker/abuse/holds.ts';
import { isUserSuspended } from '#worker/users/user-state.ts';
import type { Db } from '#worker/db/client.ts';
import { link_holds } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { users } from '#worker/db/schema-users.ts';
import type { BackupTable } from './backup-tables.ts';

/** The numbers of rows of the copy that a newer decision has changed, or that it lacked. */
const NOTHING_KEPT = {
  suspended: 0,
  demoted: 0,
  keys: 0,
  passkeys: 0,
  identities: 0,
  webhooks: 0,
  shared: 0,
  mails: 0,
  domains: 0,
  hosts: 0,
  blocked: 0,
  logged: 0,
};
/** `wasEmpty`: the replaced database had no users. */
export type KeptDecisions = typeof NOTHING_KEPT & { wasEmpty: boolean };

/**
 * Set-aside tables have the prefix of a running restore, so that backups and restores ignore them.
 */
const asideOf = (name: string): string => `"restore_${name}"`;

/**
 * Sets the tables aside, unless an interrupted restore has already done so. The tables exist
 * exactly while the database is half restored, so they always hold the state before the restore.
 */
export async function setDecisionsAside(db: Db, tables: readonly BackupTable[]): Promise<void> {
  const names = tables.map(({ name }) => name).filter((name) => name in MERGES);
  await db.$client.batch(
    names.map((name) =>
      db.$client.prepare(`CREATE TABLE IF NOT EXISTS ${asideOf(name)} AS SELECT * FROM "${name}"`),
    ),
  );
}

/** Applies the tables that were set aside to the rows of the copy, and drops them, in one batch. */
export async function applyDecisions(
  db: Db,
  tables: readonly BackupTable[],
): Promise<KeptDecisions> {
  const aside = await readAside(db, tables);
  const statements: { counts?: Count; text: string }[] = Object.entries(MERGES).flatMap(
    ([name, merge]) => aside.filter((table) => table.name === name).flatMap(merge),
  );
  const drops = aside.map(({ name }) => `DROP TABLE ${asideOf(name)}`);
  const people = await db.$client
    .prepare(
      `SELECT 1 FROM ${asideOf('users')} UNION ALL SELECT 1 FROM ${asideOf('auth_users')} LIMIT 1`,
    )
    .first();
  const results = await db.$client.batch(
    // `meta.changes` would include the rows that triggers change.
    [...statements.map(({ text }) => `${text} RETURNING 1`), ...drops].map((text) =>
      db.$client.prepare(text),
    ),
  );
  const kept = { wasEmpty: people === null, ...NOTHING_KEPT };
  for (const [index, { counts }] of statements.entries())
    if (counts !== undefined) kept[counts] += results[index]?.results.length ?? 0;
  return kept;
}

/** The tables that were set aside, with the columns that they had then. */
async function readAside(db: Db, tables: readonly BackupTable[]): Promise<BackupTable[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t CROSS JOIN pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name GLOB 'restore_*'`,
    )
    .all<{ table: string; column: string }>();
  const had = new Set(results.map(({ table, column }) => `${table}.${column}`));
  return tables
    .map((table) => ({
      ...table,
      columns: table.columns.filter((column) => had.has(`restore_${table.name}.${column}`)),
    }))
    .filter(({ name, columns }) => name in MERGES && columns.length > 0);
}

type Count = keyof typeof NOTHING_KEPT;
type Merge = (table: BackupTable) => { counts?: Count; text: string }[];

const listOf = (columns: readonly string[]): string =>
  columns.map((column) => `"${column}"`).join(', ');

/**
 * Merges rights that their owner can end: no ended right returns, and the others keep their present
 * state. A right that belongs to another account now has ended for the one of the copy.
 */
const rightsOf =
  (counts: Count): Merge =>
  ({ name, columns, key }) => {
    const right = listOf([...new Set([...key, 'user_id'])]);
    return [
      {
        counts,
        text: `DELETE FROM "${name}" WHERE user_id IN (
            SELECT id FROM ${asideOf('users')} UNION ALL SELECT id FROM ${asideOf('auth_users')})
          AND (${right}) NOT IN (SELECT ${right} FROM ${asideOf(name)})`,
      },
      {
        text: `INSERT OR REPLACE INTO "${name}" (${listOf(columns)}) SELECT ${listOf(columns)} FROM ${asideOf(name)}
          WHERE (${right}) IN (SELECT ${right} FROM "${name}")`,
      },
    ];
  };

/**
 * Decisions about people that were made after the copy outlive a restore. These tables are set
 * aside before the database is emptied. Then their stricter or newer values are applied to the rows
 * of the copy:
 *
 * - A suspension or a demotion in either of the two holds. A role is never raised.
 * - Passwords, confirmed mailboxes and second factors keep their present state, because a thief may
 *   know a password of the copy, and a used recovery code stays used.
 * - Keys, passkeys, connected company accounts, webhooks, shared reports and weekly mails that their
 *   owner has ended stay ended, and the others keep their present state. Those of accounts that the
 *   replaced database did not know come from the copy.
 * - Domains keep their present owner and status. A host leads to the domain to which it led last,
 *   because the person who proved it is not always the one of the copy. Domains of accounts that the
 *   copy does not know return only if they are suspended.
 * - The blocklist and the audit log keep their newer entries.
 */
const MERGES: Readonly<Record<string, Merge>> = {
  users: ({ name, columns }) => [
    {
      counts: 'demoted',
      text: `UPDATE users SET role = 'user' WHERE role = 'admin' AND id IN (SELECT id FROM ${asideOf(name)} WHERE role = 'user')`,
    },
    {
      counts: 'suspended',
      text: `UPDATE users SET suspended_at = now.suspended_at, suspended_reason = now.suspended_reason FROM ${asideOf(name)} AS now
        WHERE now.id = users.id AND now.suspended_at IS NOT NULL AND now.suspended_at IS NOT users.suspended_at`,
    },
    {
      // A token of a hosted sign-in service outlives the row: its next request must not make an
      // account that is not suspended.
      counts: 'suspended',
      text: `INSERT OR IGNORE INTO users (${listOf(columns)}) SELECT ${listOf(columns)} FROM ${asideOf(name)}
        WHERE suspended_at IS NOT NULL`,
    },
  ],
  auth_users: ({ name, columns }) => {
    const own = [
      'password_hash',
      'email_confirmed_at',
      'proven_at',
      'sign_up_secret_hash',
      'totp_secret',
      'totp_confirmed_at',
      'totp_last_step',
    ].filter((one) => columns.includes(one));
    return [
      {
        text: `UPDATE auth_users SET ${own.map((column) => `${column} = now.${column}`).join(', ')},
            banned_until = nullif(max(coalesce(now.banned_until, 0), coalesce(auth_users.banned_until, 0)), 0)
          FROM ${asideOf(name)} AS now WHERE now.id = auth_users.id`,
      },
    ];
  },
  auth_recovery_codes: ({ name }) => [
    {
      text: `DELETE FROM "${name}" WHERE user_id IN (SELECT id FROM ${asideOf('auth_users')})`,
    },
    {
      text: `INSERT OR IGNORE INTO "${name}" (user_id, code_hash) SELECT user_id, code_hash FROM ${asideOf(name)}
        WHERE user_id IN (SELECT id FROM auth_users)`,
    },
  ],
  address_standing: ({ name, columns }) => {
    const quota = columns.filter(
      (column) =>
        !['address_hash', 'suspended_at', 'suspended_reason', 'demoted_at'].includes(column),
    );
    return [
      {
        text: `INSERT INTO address_standing (${listOf(columns)}) SELECT ${listOf(columns)} FROM ${asideOf(name)} WHERE true
          ON CONFLICT (address_hash) DO UPDATE SET
            suspended_reason = iif(excluded.suspended_at IS NULL, suspended_reason, excluded.suspended_reason),
            suspended_at = coalesce(excluded.suspended_at, suspended_at), demoted_at = coalesce(excluded.demoted_at, demoted_at),
            ${quota.map((column) => `${column} = iif(excluded.quota_until IS NULL, ${column}, excluded.${column})`).join(', ')}`,
      },
    ];
  },
  api_keys: rightsOf('keys'),
  auth_passkeys: rightsOf('passkeys'),
  auth_identities: rightsOf('identities'),
  webhook_endpoints: rightsOf('webhooks'),
  shared_reports: rightsOf('shared'),
  weekly_mails: rightsOf('mails'),
  domains: ({ name, columns }) => [
    {
      counts: 'domains',
      text: `INSERT OR REPLACE INTO domains (${listOf(columns)}) SELECT ${listOf(columns)} FROM ${asideOf(name)} AS now
        WHERE coalesce((SELECT version < now.version FROM domains WHERE id = now.id),
          status = 'suspended' OR owner_id IN (SELECT id FROM users) OR (owner_id = ''
            AND NOT EXISTS (SELECT 1 FROM domains AS other WHERE other.owner_id = '' AND other.name = now.name)))`,
    },
    {
      text: `UPDATE users SET default_domain = '' WHERE default_domain <> ''
        AND default_domain NOT IN (SELECT id FROM domains WHERE status <> 'deleted')`,
    },
  ],
  // After the domains that they lead to.
  domain_hosts: ({ name, columns }) => [
    {
      counts: 'hosts',
      text: `DELETE FROM domain_hosts WHERE domain_id IN (SELECT id FROM ${asideOf('domains')})
        AND (host, domain_id) NOT IN (SELECT host, domain_id FROM ${asideOf(name)})`,
    },
    {
      text: `INSERT OR REPLACE INTO domain_hosts (${listOf(columns)}) SELECT ${listOf(columns)} FROM ${asideOf(name)}
        WHERE domain_id IN (SELECT id FROM domains)`,
    },
    {
      text: `INSERT OR IGNORE INTO domain_removals (saas_id, host, next_try_at) SELECT saas_id, host, 0 FROM ${asideOf(name)}
        WHERE saas_id <> '' AND saas_id NOT IN (SELECT saas_id FROM domain_hosts)`,
    },
  ],
  blocklist: ({ name, columns }) => [
    {
      // The links of the copy do not know the entry yet: the job holds them.
      counts: 'blocked',
      text: `INSERT OR IGNORE INTO blocklist (${listOf(columns)})
        SELECT ${columns.map((column) => (column === 'applied_at' ? '0' : `"${column}"`)).join(', ')} FROM ${asideOf(name)}`,
    },
  ],
  admin_log: ({ name, columns }) => {
    const facts = listOf(columns.filter((column) => column !== 'id'));
    return [
      {
        counts: 'logged',
        text: `INSERT INTO admin_log (${listOf(columns)}) SELECT ${listOf(columns)} FROM ${asideOf(name)}
          WHERE id NOT IN (SELECT id FROM admin_log)`,
      },
      {
        // In a copy of another database these ids belong to other entries.
        counts: 'logged',
        text: `INSERT INTO admin_log (${facts}) SELECT ${facts} FROM ${asideOf(name)} AS now
          WHERE at <> (SELECT at FROM admin_log WHERE id = now.id) ORDER BY id`,
      },
    ];
  },
};

/**
 * Holds the links of suspended members, because the copy may have them from before the suspension.
 * Needs the schema of this release.
 */
export async function holdLinksOfSuspended(db: Db, now: number): Promise<void> {
  const rows = await db.all<{ id: string; reason: string | null }>(
    sql`select id, suspended_reason as reason from ${users} where suspended_at is not null and exists (
      select 1 from ${links} where user_id = ${users}.id and status <> 'deleted' and not exists (
        select 1 from ${link_holds} where link_id = ${links}.id and kind = 'user'))`,
  );
  for (const { id, reason } of rows)
    await placeHold(db, {
      hold: { kind: 'user', value: '', reason: reason ?? '' },
      where: sql`${links}.user_id = ${id}`,
      now,
      condition: isUserSuspended(id),
    });
}

/** True unless the database has members and none of them is an administrator. */
export async function hasAdmin(db: Db): Promise<boolean> {
  const row = await db.get<{ found: number }>(
    sql`select exists (select 1 from ${users} where role = 'admin' and suspended_at is null) or not exists (select 1 from ${users}) as found`,
  );
  return row.found === 1;
}
