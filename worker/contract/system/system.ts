import * as z from 'zod/mini';
import type { SsoReport } from '#contract/sign-in/sso.ts';

/**
 * The signals. The first five decide whether Hop is ready. `domains` is shown only where
 * members bring some.
 */
export const SIGNALS = [
  'database',
  'schema',
  'edge-store',
  'cron',
  'queue',
  'errors',
  'mail',
  'writer',
  'dead-letters',
  'lost-clicks',
  'totals',
  'outbox',
  'jobs',
  'backlog',
  'size',
  'backup',
  'domains',
  'alerts',
] as const;
export type SignalName = (typeof SIGNALS)[number];

export const SIGNAL_TITLES: Readonly<Record<SignalName, string>> = {
  database: 'Database',
  schema: 'Schema',
  'edge-store': 'Edge store',
  cron: 'Cron',
  queue: 'Click queue',
  errors: 'Errors',
  mail: 'Mail',
  writer: 'Writer',
  'dead-letters': 'Dead letters',
  'lost-clicks': 'Lost clicks',
  totals: 'Click totals',
  outbox: 'Outbox',
  jobs: 'Jobs',
  backlog: 'Backlog',
  size: 'Database size',
  backup: 'Backup',
  domains: 'Domains',
  alerts: 'Alerts',
};

/**
 * `bad` sends an alert. `warn` needs attention soon. `unknown` means that there are no facts,
 * mostly because of another signal.
 */
export type SignalState = 'ok' | 'warn' | 'bad' | 'unknown';

export type Signal = {
  signal: SignalName;
  state: SignalState;
  /** When this state began (RFC 3339); null if unknown. */
  since: string | null;
  sentence: string;
  /** The sentence's number with its unit; '' if it has none. */
  figure: string;
};

/**
 * GET /api/ready: `ok` and `alerts` for everyone, with 503 if one of them is false; the signals for
 * administrators only. `alerts` is false while no channel for alerts works.
 */
export type ReadyResponse = { ok: boolean; alerts: boolean; signals?: Signal[] };

export type SystemJob = {
  name: string;
  startedAt: string;
  /** Null while it runs. */
  finishedAt: string | null;
  ok: boolean;
  detail: string;
  failingSince: string | null;
  backlog: { left: number; since: string } | null;
};

/** The windows that were rejected for one reason. `since`: when the first of them was set aside. */
export type SetAsideReason = { reason: string; windows: number; clicks: number; since: string };

/** GET /api/admin/system */
export type SystemReport = {
  checkedAt: string;
  release: { version: string; schema: string; deployedAt: string | null };
  signals: Signal[];
  jobs: SystemJob[];
  /** The channels that are set for alerts. If there are none, only the log has them. */
  alerts: ChannelResult['channel'][];
  setAside: { windows: number; clicks: number; reasons: SetAsideReason[] };
  database: { bytes: number | null; limitBytes: number; fullOn: string | null };
  sso: SsoReport | null;
};

/** POST /api/admin/system */
export const systemAction = z.object({ action: z.enum(['replay']) });
export type ReplayResponse = { windows: number; clicks: number; failed: number; left: number };

/**
 * How a channel took a message: to how many people, or to one webhook, it was `sent`, for how many
 * it `failed`, and the first `fault`, which is '' if there is none.
 */
export type ChannelResult = {
  channel: 'mail' | 'webhook';
  sent: number;
  failed: number;
  fault: string;
};

/** POST /api/admin/system/test-alert. Empty if no channel is set. */
export type TestAlertResponse = { channels: ChannelResult[] };
