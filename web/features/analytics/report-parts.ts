/** What a report shows below its chart. */
export const REPORT_PARTS = ['places', 'sources', 'devices', 'times', 'recent'] as const;
export type ReportPart = (typeof REPORT_PARTS)[number];
