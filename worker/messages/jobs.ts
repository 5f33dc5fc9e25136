import { formatBytes } from '#contract/format-bytes.ts';
import { formatNumber, plural } from '#contract/language.ts';

type Text = (count: number) => string;

const counted =
  (one: string, done: string, many?: string): Text =>
  (count) =>
    `${plural(count, one, many)} ${done}`;

/** What the runs of jobs count. */
const COUNTS = {
  accounts_listed: counted('deleted account', 'listed'),
  accounts_rolled_up_again: counted('account', 'rolled up again'),
  accounts_verified: counted('account', 'verified'),
  backup_parts: counted('part', 'written'),
  backup_rows: counted('row', 'copied'),
  bytes: formatBytes,
  changed_rows: counted('changed row', 'copied'),
  changes_rejected: counted('change', 'rejected by KV'),
  clicks_lost: counted('click', 'lost'),
  copies_deleted: counted('old copy', 'deleted', 'old copies'),
  days_closed: counted('day', 'added to months'),
  deliveries_sent: counted('delivery', 'sent', 'deliveries'),
  destinations_checked: counted('destination', 'checked'),
  differences: (count) => plural(count, 'difference'),
  hostnames_deleted: counted('hostname', 'deleted'),
  hosts_changed: counted('host', 'changed'),
  hosts_checked: counted('host', 'checked'),
  hosts_published: counted('host', 'published'),
  link_id_mark: (id) => `raised to ${formatNumber(id)}`,
  links_checked_lately: counted('link', 'checked, of those clicked lately'),
  links_disabled: counted('link', 'disabled'),
  links_ended: counted('link', 'ended'),
  links_indexed: counted('link', 'indexed'),
  links_pruned: counted('link', 'pruned'),
  links_published: counted('link', 'published'),
  links_ranked: counted('link', 'ranked'),
  links_released: counted('link', 'released'),
  links_rolled_up: counted('link', 'rolled up'),
  links_verified: counted('link', 'checked'),
  mails_sent: counted('mail', 'sent'),
  objects_copied: counted('object', 'copied'),
  pictures_deleted: counted('picture', 'deleted'),
  quotas_cleared: counted('used quota', 'cleared'),
  rows_disowned: counted('row', 'of deleted accounts cleared'),
  tables_dropped: counted('table', 'dropped'),
  visitor_keys_destroyed: counted('key', 'destroyed'),
} as const satisfies Record<string, Text>;

/** Why a job did nothing, or what it did once. */
const REASONS = {
  first_run: 'tells of decisions from now on',
  key_activated: 'new key activated',
  key_published: 'new key published',
  no_copy: 'no nightly copy yet',
  no_mailer: 'this deployment sends no mail',
  not_configured: 'not configured',
  not_finished: 'the run before did not finish',
  restoring: 'waits for a restore',
  stopped: 'stopped at the limit of statements',
  week_not_counted: 'waits for the clicks of the week',
} as const;

export type JobCount = keyof typeof COUNTS;

export type JobReport = {
  reason?: keyof typeof REASONS;
  done?: { readonly [Count in JobCount]?: number };
  /** The number of expired rows that were deleted, by their table. */
  deleted?: Readonly<Record<string, number>>;
};

const TEXTS: Readonly<Record<string, Text>> = COUNTS;

/** The line about a run on the system page: '2 hosts checked, 1 mail sent'. */
export function describeJob({ reason, done = {}, deleted = {} }: JobReport): string {
  const parts = [
    ...(reason === undefined ? [] : [REASONS[reason]]),
    ...Object.entries(done).flatMap(([name, n]) => (n === 0 ? [] : (TEXTS[name]?.(n) ?? []))),
    ...Object.entries(deleted).map(([table, n]) => `${plural(n, 'row')} of ${table} deleted`),
  ];
  return parts.join(', ') || 'nothing to do';
}
