/**
 * A session of the member: a sign-in on one device. `browser`, `system` and `country` are of the
 * sign-in; null if unknown. `lastUsedAt` is up to an hour behind. Times are RFC 3339.
 */
export type Session = {
  id: string;
  /** A name without a version, such as "Firefox". */
  browser: string | null;
  /** The operating system, such as "Windows". */
  system: string | null;
  /** Two letters (ISO 3166-1), or T1 for the Tor network. */
  country: string | null;
  signedInAt: string;
  lastUsedAt: string;
  /** The session that asks. */
  current: boolean;
};

/**
 * GET /api/sessions: the member's sessions, the current one first, then the last used. DELETE
 * /api/sessions/:id ends one, and DELETE /api/sessions all but the current one, both from the next
 * request on; they return `{ success: true }`. With a hosted sign-in service, which keeps the
 * sessions, the list is empty.
 */
export type SessionsResponse = { sessions: Session[] };
