/** How far back the live clicks of an account reach. */
export const LIVE_CLICKS_MINUTES = 10;
/** The most clicks that are listed. */
export const LIVE_CLICKS_MAX = 50;

/** A click on one of the member's links. `referrer` is part of advanced analytics. */
export type LiveClick = {
  clickedAt: string;
  country: string;
  referrer?: string;
  code: string;
  shortUrl: string;
};

/**
 * GET /api/overview/clicks?domain=: the clicks of people in the last LIVE_CLICKS_MINUTES, newest
 * first.
 */
export type LiveClicksResponse = {
  clicks: LiveClick[];
  /** False if there may have been more clicks than those listed. */
  complete: boolean;
  /** After how many seconds it is worth asking again, which depends on what a response costs. */
  refreshSeconds: number;
};
