/**
 * A session of the member: a sign-in on one device. `browser`, `system` and `country` describe the
 * sign-in; null if unknown. `lastUsedAt` is up to an hour old. Times are RFC 3339.
 */
export type Session = {
  id: string;
  /** A name without a version, such as "Firefox". */
  browser: string | null;
  system: string | null;
  /** Two letters (ISO 3166-1), or T1 for the Tor network. */
  country: string | null;
  signedInAt: string;
  lastUsedAt: string;
  current: boolean;
};

/**
 * GET /api/sessions: the member's sessions, the current one first, then the last used. DELETE
 * /api/sessions/:id ends one, and DELETE /api/sessions all but the current one. Both take effect
 * with the next request and return `{ success: true }`. The list is empty with a hosted sign-in
 * service, which stores the sessions itself.
 */
export type SessionsResponse = { sessions: Session[] };
