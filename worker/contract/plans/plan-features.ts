import { formatNumber, listAll } from '#contract/language.ts';
import type { AdvancedAnalytics } from '#contract/reports/analytics.ts';
import { BULK_MAX } from '#contract/limits.ts';
import { PLANS, type PlanType } from '#contract/site.ts';

/**
 * The members of the report (see analytics.ts) and the export that advanced analytics add, in the
 * words of the pages.
 */
export const ADVANCED_ANALYTICS = {
  clicksByCity: 'cities',
  clicksByBrowser: 'browsers',
  clicksByOs: 'systems',
  clicksByReferrer: 'referrers',
  clicksByUtmSource: 'campaigns',
  clicksByUtmMedium: 'campaigns',
  clicksByUtmCampaign: 'campaigns',
  clicksByHour: 'hours',
  visitorsByHour: 'hours',
  previousPeriod: 'comparison with the previous period',
  export: 'export of the report',
} as const satisfies Record<keyof AdvancedAnalytics | 'export', string>;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `true`: included. `false`: not included. A text: how much is included. */
export type FeatureCell = boolean | string;
export type PlanFeature = { name: string; detail?: string } & Readonly<
  Record<PlanType, FeatureCell>
>;

/**
 * What each plan includes besides its quota (docs/decisions.md#d36). The API asks `planIncludes`;
 * the pricing page, its questions and the upgrade dialog print these words.
 */
export const FEATURES = {
  aliases: { name: 'Custom aliases', free: true, premium: true },
  endDates: { name: 'End dates', free: true, premium: true },
  qrCodes: { name: 'QR codes', free: true, premium: true },
  basicAnalytics: {
    name: 'Basic analytics',
    detail:
      'Clicks, unique visitors, active days, dates, countries, devices and recent clicks, for the whole life of a link.',
    free: true,
    premium: true,
  },
  advancedAnalytics: {
    name: 'Advanced analytics',
    detail: `${capitalized(listAll(new Set(Object.values(ADVANCED_ANALYTICS))))}.`,
    free: false,
    premium: true,
  },
  bulk: {
    name: 'Bulk processing',
    detail: `Paste a list and shorten up to ${BULK_MAX} links at once.`,
    free: false,
    premium: `${BULK_MAX} at a time`,
  },
  import: {
    name: 'Import',
    detail: 'From Bitly, Dub, Kutt, Rebrandly, Shlink, Short.io, Sink, YOURLS or a table.',
    free: `Within the ${PLANS.free.monthlyLimit} links`,
    premium: `${formatNumber(PLANS.premium.importedLinks)} links on top, once`,
  },
  /** Exists only where the deployment has a support address. */
  prioritySupport: {
    name: 'Priority support',
    detail: 'We answer your mail first.',
    free: false,
    premium: true,
  },
  noAds: {
    name: 'No ads',
    detail: 'Not on Home, and not in your analytics.',
    free: false,
    premium: true,
  },
} as const satisfies Record<string, PlanFeature>;

export const planIncludes = (plan: PlanType, feature: keyof typeof FEATURES): boolean =>
  FEATURES[feature][plan] !== false;

const programs = (plan: PlanType) => ({
  name: 'API and webhooks',
  detail: `${PLANS[plan].apiRequests} requests a minute, ${PLANS[plan].webhooks} webhooks.`,
});

const quota = (plan: PlanType) => ({
  name: `${formatNumber(PLANS[plan].monthlyLimit)} URLs per month`,
});

/** The features listed for each plan on the pricing page and in the upgrade dialog. */
export const PLAN_HIGHLIGHTS: Readonly<
  Record<PlanType, readonly Pick<PlanFeature, 'name' | 'detail'>[]>
> = {
  free: [
    quota('free'),
    FEATURES.basicAnalytics,
    FEATURES.aliases,
    FEATURES.endDates,
    FEATURES.qrCodes,
    programs('free'),
  ],
  premium: [
    quota('premium'),
    FEATURES.advancedAnalytics,
    FEATURES.prioritySupport,
    FEATURES.bulk,
    programs('premium'),
    FEATURES.noAds,
  ],
};
