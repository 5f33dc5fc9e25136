import { KEEP_DAYS_MONTHS } from '#contract/limits.ts';
import {
  SHARED_LIST_NAMES,
  SHARED_LISTS,
  type SharedPart,
  type SharedPeriod,
  type SharedReport,
  type SharedReportChange,
} from '#contract/reports/shared-reports.ts';
import { planIncludes } from '#contract/plans/plan-features.ts';
import type { PlanType } from '#contract/site.ts';
import { DAY_MS } from '#contract/time.ts';

/** What a report is about, before it is shared. */
export type ShareSubject = { kind: 'link'; code: string } | { kind: 'tag'; id: number };

/** The fields of the form. */
export type Draft = {
  title: string;
  parts: SharedPart[];
  period: SharedPeriod;
  from: string;
  to: string;
  /** Days until the end; 0 for none, null to keep the present end. */
  days: number | null;
  password: string;
  removesPassword: boolean;
};

export const PERIODS: readonly (readonly [SharedPeriod, string])[] = [
  ['30d', 'Last 30 days'],
  ['7d', 'Last 7 days'],
  ['90d', 'Last 90 days'],
  ['all', `Since creation, up to ${KEEP_DAYS_MONTHS} months`],
  ['dates', 'Fixed dates'],
];

type Choice = { part: SharedPart; label: string };

/** The parts to choose from. Advanced ones are left out if the plan does not include them. */
export function choicesFor(kind: ShareSubject['kind'], plan: PlanType | null): Choice[] {
  const lists = SHARED_LIST_NAMES.filter(
    (name) =>
      !(name === 'variants' && kind === 'tag') &&
      (!SHARED_LISTS[name].advanced || (plan !== null && planIncludes(plan, 'advancedAnalytics'))),
  ).map((part) => ({ part, label: SHARED_LISTS[part].name }));
  return kind === 'tag'
    ? [
        ...lists,
        { part: 'links', label: 'Top links' },
        { part: 'shortUrls', label: 'Their short URLs' },
        { part: 'destinations', label: 'Their destinations' },
      ]
    : [
        ...lists,
        { part: 'shortUrls', label: 'Short URL' },
        { part: 'destinations', label: 'Destination' },
      ];
}

export const newDraft = (kind: ShareSubject['kind'], title: string): Draft => ({
  title,
  parts: [
    'countries',
    'devices',
    'sources',
    'shortUrls',
    ...(kind === 'tag' ? ['links' as const] : []),
  ],
  period: '30d',
  from: '',
  to: '',
  days: 0,
  password: '',
  removesPassword: false,
});

export const draftOf = ({ title, parts, period, from, to }: SharedReport): Draft => ({
  title,
  parts,
  period,
  from: from ?? '',
  to: to ?? '',
  days: null,
  password: '',
  removesPassword: false,
});

/** The members that the API expects, without those that keep the present state. */
export function toSettings(draft: Draft, now: number) {
  const { title, parts, period, from, to, days } = draft;
  return {
    title,
    parts,
    period,
    ...(period === 'dates' && { from, to }),
    ...(days !== null && {
      expiresAt: days === 0 ? null : new Date(now + days * DAY_MS).toISOString(),
    }),
    ...passwordOf(draft),
  } satisfies SharedReportChange;
}

function passwordOf({ password, removesPassword }: Draft): Pick<SharedReportChange, 'password'> {
  if (removesPassword) return { password: null };
  return password === '' ? {} : { password };
}
