import { formatBytes } from '#contract/format-bytes.ts';
import { plural, wordFor } from '#contract/language.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';

type Used = { used: number; allocated: number };

/** Values for the sentences about signals. Each sentence uses the ones it needs. */
export type SignalValues = {
  /** A duration in ms: how long ago, how long already, or how late. */
  ms: number;
  count: number;
  windows: number;
  /** From 0 to 1. */
  share: number;
  bytes: number;
  limitBytes: number;
  /** Until the database is full; null if that is not foreseeable. */
  days: number | null;
  /** The domains of members in this deployment. */
  domains: Used;
  /** The hostnames of the platform's quota; null if it is not known. */
  hostnames: Used | null;
  /** The names of databases or jobs. */
  names: readonly string[];
  found: string;
  needed: string;
};

type Text = string | ((values: SignalValues) => string);
type Entry = readonly [sentence: Text, figure?: Text];

const time: Text = ({ ms }) => formatDuration(ms);
const timeAgo: Text = ({ ms }) => `${formatDuration(ms)} ago`;
const number: Text = ({ count }) => String(count);
const speed: Text = ({ ms }) => `${ms} ms`;
const version: Text = ({ found }) => found.slice(0, 4);
const percent = (part: number): string => `${Math.round(part * 100)} %`;
const share: Text = (values) => percent(values.share);
const shareOfLimit: Text = ({ bytes, limitBytes }) => percent(bytes / limitBytes);
const domains = ({ domains: own, hostnames }: SignalValues): string => {
  const used = `Members have ${own.used} of ${plural(own.allocated, 'domain')}`;
  return hostnames === null
    ? `${used}.`
    : `${used}. The platform counts ${hostnames.used} of ${plural(hostnames.allocated, 'hostname')}.`;
};
const failingSince: Text = ({ ms, names }) =>
  `Failing for ${formatDuration(ms)}: ${names.join(', ')}.`;
const cronEffects = 'Jobs are not done, and changes may not reach KV.';

/** The sentence about the state of a signal, and the number that the system page shows beside it. */
const SIGNAL_MESSAGES = {
  database_unread: ['Not known while the database cannot be read.'],
  cron_awaited: ['Known again once cron runs.'],
  alerts_say: ['The signal Alerts says what is wrong.'],
  kv_awaited: ['Known again once KV answers.'],

  d1_answers: ['D1 answers.', speed],
  d1_silent: ['D1 does not answer.'],
  shards_silent: [
    ({ names }) =>
      `No answer from ${names.join(', ')}. Clicks on links there are counted once it answers again.`,
  ],

  schema_current: ['The database has the schema of this release.', version],
  schema_old: [
    ({ found, needed }) =>
      `The database has ${found === '' ? 'no schema' : `schema ${found}`}, and this release needs ${needed}. Apply the migrations.`,
    version,
  ],
  shard_schema_old: [
    ({ names, found, needed }) =>
      `${names.join()} has ${found || 'no schema'}, and this release needs ${needed}. Apply the migrations.`,
  ],

  kv_answers: ['KV answers.', speed],
  kv_silent: ['KV does not answer. Redirects read D1 instead.'],

  cron_runs: ['Cron runs every minute.', timeAgo],
  cron_not_yet: ['Cron has not run yet with this version. A new trigger needs up to 20 minutes.'],
  cron_never: [`Cron has never run. ${cronEffects}`, time],
  cron_stopped: [({ ms }) => `Cron last ran ${formatDuration(ms)} ago. ${cronEffects}`, time],

  queue_not_seen: ['No clicks are waiting, as far as the consumer has seen.'],
  queue_in_time: ['Clicks are counted as they come.', time],
  queue_late: [({ ms }) => `Clicks are counted ${formatDuration(ms)} late.`, time],

  no_errors: ['No request of the last ten minutes failed.'],
  errors: [
    ({ count, share: part }) =>
      `${plural(count, 'request')} of the last ten minutes failed, ${percent(part)} of those that the same isolates answered.`,
    number,
  ],

  no_mails: ['This deployment sends no mail.'],
  mails_sent: ['The last mail was sent.'],
  mails_fail: [
    ({ names, ms }) => `No mail could be sent for ${formatDuration(ms)}: ${names.join()}.`,
    time,
  ],

  writer_idle: ['No database is busy with clicks.'],
  writer_busy: [
    ({ names, share: part }) => `${names.join()} is busy for ${percent(part)} of the time.`,
    share,
  ],
  writer_full: [
    ({ names, share: part }) =>
      `${names.join()} is busy for ${percent(part)} of the time. Add a shard before clicks have to wait.`,
    share,
  ],

  none_set_aside: ['No click is set aside.'],
  set_aside: [
    ({ count, windows }) =>
      `${plural(count, 'click')} in ${plural(windows, 'window')} could not be counted and are set aside.`,
    number,
  ],
  dead_letters_fail: ['Clicks in the dead-letter queue fail again. They are tried every hour.'],
  unreadable: [
    ({ count }) => `${plural(count, 'message')} of the last day could not be read.`,
    number,
  ],

  none_lost: ['No click was lost in the last 24 hours.'],
  lost: [
    ({ count, ms }) =>
      `${plural(count, 'click')} of the last 24 hours ${wordFor(count, 'was', 'were')} not counted, the last one ${formatDuration(ms)} ago.`,
    number,
  ],

  totals_match: ['All click totals match their counts.', timeAgo],
  totals_differ: [
    ({ ms }) =>
      `The check ${formatDuration(ms)} ago found totals that differ from their counts. Statistics has them.`,
    time,
  ],
  totals_not_checked: ['The daily check of the click totals has not run yet.'],
  totals_check_late: [({ ms }) => `The totals were last checked ${formatDuration(ms)} ago.`, time],

  outbox_in_time: ['Changed links reach KV in time.'],
  outbox_late: [
    ({ ms }) => `Changed links have been waiting for KV for ${formatDuration(ms)}.`,
    time,
  ],

  jobs_succeed: ['All jobs succeeded in their last run.', number],
  jobs_fail: [failingSince, number],

  jobs_late: [({ ms, names }) => `Not run for ${formatDuration(ms)}: ${names.join(', ')}.`, number],

  no_backlog: ['No job has work left over.'],
  backlog: [
    ({ names, ms, count }) =>
      `${names.join()} has been behind for ${formatDuration(ms)}: ${plural(count, 'row')} left.`,
    number,
  ],

  size: [
    ({ bytes, limitBytes, days }) => {
      const size = `The database has ${formatBytes(bytes)} of ${formatBytes(limitBytes)}`;
      return days === null
        ? `${size}.`
        : `${size}, and is full in ${plural(days, 'day')} at today’s growth.`;
    },
    shareOfLimit,
  ],
  shard_size: [
    ({ names, bytes, limitBytes }) =>
      `${names.join()} has ${formatBytes(bytes)} of ${formatBytes(limitBytes)}.`,
    shareOfLimit,
  ],

  backup_recent: ['The last backup is recent.', timeAgo],
  backup_old: [({ ms }) => `The last backup is ${formatDuration(ms)} old.`, time],
  no_backup: ['No backup is known. The first one is made in the night.'],
  backup_never: [
    ({ ms }) => `No backup has been made since the installation ${formatDuration(ms)} ago.`,
  ],

  no_member_domains: ['Members bring no domains.'],
  domains_not_counted: ['The platform has not been asked yet how many hostnames are used.'],
  platform_silent: [
    ({ ms }) =>
      `The platform has not said for ${formatDuration(ms)} how many hostnames are used. New domains may not connect.`,
    time,
  ],
  domains: [domains, share],
  domains_full: [(values) => `${domains(values)} No further one can be added.`, share],

  channels_work: [({ names }) => `Alerts go out by ${names.join(' and ')}.`],
  channels_fail: [failingSince, time],
  alerts_unsent: [
    ({ count, names }) => {
      const failing = names.length === 0 ? '' : ` Failing: ${names.join(', ')}.`;
      return `${plural(count, 'alert')} reached nobody. ${wordFor(count, 'It is', 'They are')} tried again every two minutes.${failing}`;
    },
    number,
  ],
  alerts_in_log: [
    'Alerts reach the log only. Set MAIL_FROM to mail them to administrators, or ALERT_WEBHOOK_URL to send them to a chat.',
  ],
} as const satisfies Record<string, Entry>;

export type SignalReason = keyof typeof SIGNAL_MESSAGES;

const NO_VALUES: SignalValues = {
  ms: 0,
  count: 0,
  windows: 0,
  share: 0,
  bytes: 0,
  limitBytes: 0,
  days: null,
  domains: { used: 0, allocated: 0 },
  hostnames: null,
  names: [],
  found: '',
  needed: '',
};

/** `figure` is '' if the sentence has none. */
export function signalMessage(reason: SignalReason, values: Partial<SignalValues>) {
  const [sentence, figure = '']: Entry = SIGNAL_MESSAGES[reason];
  const say = (text: Text): string =>
    typeof text === 'string' ? text : text({ ...NO_VALUES, ...values });
  return { sentence: say(sentence), figure: say(figure) };
}

/** What an alert and its end say. `ms`: how long the alert lasted. */
export const ALERT_MESSAGES = {
  begin: (title: string, sentence: string) => `${title}: ${sentence}`,
  end: (title: string, ms: number) => `${title} is fine again after ${formatDuration(ms)}.`,
} as const;

/** Sent by an administrator to see whether alerts arrive. */
export const TEST_ALERT = 'This is a test alert. Nothing is wrong.';

/** Why a channel did not take a message. */
export const CHANNEL_FAULTS = {
  nobody: 'no administrator has an address',
  silent: 'no answer',
  status: (status: number) => `HTTP ${status}`,
} as const;

/** ms → '4 seconds', '12 minutes', '3 hours', '2 days': rounded down. */
function formatDuration(ms: number): string {
  if (ms < 2 * MINUTE_MS) return plural(Math.floor(Math.max(0, ms) / 1000), 'second');
  if (ms < 2 * HOUR_MS) return plural(Math.floor(ms / MINUTE_MS), 'minute');
  return ms < 2 * DAY_MS
    ? plural(Math.floor(ms / HOUR_MS), 'hour')
    : plural(Math.floor(ms / DAY_MS), 'day');
}
