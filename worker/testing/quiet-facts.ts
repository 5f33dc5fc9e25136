import type { StoredFacts } from '#worker/system/facts.ts';

/** The stored facts of an installation without clicks, jobs and faults, which can send mail. */
export const QUIET_FACTS: StoredFacts = {
  lastCronAt: null,
  lastJobAt: null,
  jobs: [],
  intervals: null,
  queue: null,
  deadLetterQueue: null,
  setAside: { windows: 0, clicks: 0, oldestAt: null },
  unreadable: 0,
  errors: null,
  busy: [],
  lost: null,
  outboxSince: null,
  verification: null,
  channels: [{ channel: 'mail', failing: null }],
  unsentAlerts: { count: 0, since: null },
  bytes: 0,
  sizes: [],
  domains: null,
};
