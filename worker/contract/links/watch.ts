/** Checks of a link's destination. Without schemas, because the command line contains this file. */

/**
 * `on` leaves out addresses that look as if they worked once, and links with a password; `always`
 * checks these, too.
 */
export const WATCH_MODES = ['off', 'on', 'always'] as const;
export type WatchMode = (typeof WATCH_MODES)[number];

/** The fallback of an unreachable destination that is its latest copy at web.archive.org. */
export const ARCHIVED_COPY = 'archive';

/**
 * `suspect` has failed, `dead` has failed often enough to count as unreachable. `unclear` says that
 * a check could not tell.
 */
export const HEALTH_STATES = ['ok', 'suspect', 'dead', 'unclear'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** A host that asks for a longer pause gets this one. */
export const CHECK_PAUSE_MAX_DAYS = 30;

export const HEALTH_REASONS = [
  'answered',
  'status',
  'challenge',
  'dns',
  'connection',
  'redirects',
  'timeout',
  'unresolved',
  'not_allowed',
  'one_time',
  'password',
] as const;
export type HealthReason = (typeof HEALTH_REASONS)[number];

/** What the last check of a destination found. `status` is that of its answer, if it had one. */
export type Finding = { reason: HealthReason; status: number | null };

/** The result of the checks of a link's destination in responses. Times are RFC 3339. */
export type LinkHealth = Finding & {
  state: HealthState;
  /** What the last check found, as a sentence. */
  detail: string;
  checkedAt: string;
  /** When the state began. */
  since: string;
  /** The destination that a fallback replaces, as long as it does. */
  replacedUrl: string | null;
};

/** Says what a check found, as a sentence. */
export function describeFinding({ reason, status }: Finding): string {
  switch (reason) {
    case 'answered':
    case 'status':
      return `The destination answered ${status ?? 'without a status'}.`;
    case 'challenge':
      return 'The destination asked for proof that a person is visiting it.';
    case 'dns':
      return 'The host of the destination has no address.';
    case 'connection':
      return 'The destination could not be reached.';
    case 'redirects':
      return 'The destination redirected more than 5 times.';
    case 'timeout':
      return 'The destination did not answer within 10 seconds.';
    case 'unresolved':
      return 'The host of the destination could not be looked up.';
    case 'not_allowed':
      return 'The destination led to an address that links may not have.';
    case 'one_time':
      return 'The address looks as if it worked only once, so it is not checked.';
    case 'password':
      return 'The link has a password, so its destination is not checked.';
  }
}
