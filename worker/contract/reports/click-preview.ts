/**
 * GET /api/click-preview: what a click of the caller would store about them now. The texts are ''
 * where they are unknown.
 */
export type ClickPreviewResponse = {
  /** When the click would have happened, as RFC 3339. */
  at: string;
  /** The figure that the click would add to. */
  figure: 'human' | 'bot' | 'prefetch';
  /** What a human click stores besides its time. Null for bots and prefetches: they only count. */
  details: ClickDetails | null;
  /** True if the click would get the visitor id of its link and day. */
  hasVisitorId: boolean;
};

export type ClickDetails = Record<
  'country' | 'region' | 'city' | 'device' | 'browser' | 'os' | 'source',
  string
>;
