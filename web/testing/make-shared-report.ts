import type { SharedReport } from '#contract/reports/shared-reports.ts';

export const makeSharedReport = (more: Partial<SharedReport> = {}): SharedReport => ({
  id: 'r1',
  subject: { kind: 'link', code: 'spring' },
  title: 'Spring campaign',
  parts: ['countries'],
  period: '30d',
  from: null,
  to: null,
  expiresAt: null,
  hasPassword: false,
  createdAt: '2026-11-01T00:00:00Z',
  available: true,
  ...more,
});
