import type { FilteredReport } from '#contract/reports/analytics.ts';
import { makeReport } from './make-report.ts';

/**
 * Returns the seven clicks from phones of a link. `frame` is for the report that they are of, and
 * `analytics` overrides their counts.
 */
export function makeFilteredReport(
  frame: Parameters<typeof makeReport>[0],
  { analytics, ...rest }: { analytics?: Partial<FilteredReport['analytics']>; unlisted?: number },
): FilteredReport {
  const { setAside: _, ...whole } = makeReport(frame);
  return {
    ...whole,
    filters: ['device:Mobile'],
    reasons: {},
    pairsSince: null,
    unlisted: 0,
    recent: { matching: 0, of: 50 },
    ...rest,
    analytics: {
      totalClicks: 7,
      uniqueClicks: null,
      activeDays: null,
      qrScans: null,
      destinations: null,
      clicksByDate: { '2026-11-20': 7 },
      visitorsByDate: null,
      clicksByCountry: null,
      clicksByDevice: { Mobile: 7 },
      clicksByReferrer: null,
      recentClicks: [],
      ...analytics,
    },
  };
}
