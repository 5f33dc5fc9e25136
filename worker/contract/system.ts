import * as z from 'zod/mini';

/** The signals. The first five decide whether Hop is ready. */
export const SIGNALS = [
  'database',
  'schema',
  'edge-store',
  'cron',
  'queue',
  'dead-letters',
  'lost-clicks',
  'totals',
  'outbox',
  'jobs',
  'backlog',
  'size',
  'backup',
] as const;
export type SignalName = (typeof SIGNALS)[number];

export const SIGNAL_TITLES: Readonly<Record<SignalName, string>> = {
  database: 'Database',
  schema: 'Schema',
  'edge-store': 'Edge store',
  cron: 'Cron',
  queue: 'Click queue',
  'dead-letters': 'Dead letters',
  'lost-clicks': 'Lost clicks',
  totals: 'Click totals',
  outbox: 'Outbox',
  jobs: 'Jobs',
  backlog: 'Backlog',
  size: 'Database size',
  backup: 'Backup',
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
 * GET /api/ready: `ok` for everyone, with 503 if it is false; the signals for administrators only.
 */
export type ReadyResponse = { ok: boolean; signals?: Signal[] };

export type SystemJob = {
  name: string;
  started_at: string;
  /** Null while it runs. */
  finished_at: string | null;
  ok: boolean;
  detail: string;
  failing_since: string | null;
  backlog: { left: number; since: string } | null;
};

/** The windows that were rejected for one reason. `since`: when the first of them was set aside. */
export type SetAsideReason = { reason: string; windows: number; clicks: number; since: string };

/** GET /api/admin/system */
export type SystemReport = {
  checked_at: string;
  release: { version: string; schema: string; deployed_at: string | null };
  signals: Signal[];
  jobs: SystemJob[];
  /** The channels that get alerts. Without a webhook and mail, only the log does. */
  alerts: { webhook: boolean; mail: boolean };
  set_aside: { windows: number; clicks: number; reasons: SetAsideReason[] };
  database: { bytes: number | null; limit_bytes: number; full_on: string | null };
};

/** POST /api/admin/system */
export const systemAction = z.object({ action: z.enum(['replay']) });
export type ReplayResponse = { windows: number; clicks: number; failed: number; left: number };
