import { formatNumber } from '#contract/language.ts';
import {
  API_KEYS_MAX,
  KEEP_DAYS_MONTHS,
  KEEP_HOURS_DAYS,
  KEEP_RECENT_CLICKS_DAYS,
  KEEP_TRASH_DAYS,
  LINK_CHANGES_MAX,
  QR_PRESETS_MAX,
  SHARED_REPORTS_MAX,
  TAGS_MAX,
  UTM_TEMPLATES_MAX,
  V1_BULK_MAX,
  VIEWS_MAX,
} from '#contract/limits.ts';
import { FEATURES, type FeatureCell, type PlanFeature } from './plan-features.ts';
import { PLANS, QUOTA_FACTOR, type PlanType } from '#contract/site.ts';

/** Rows about one subject of the comparison of plans. */
type Group = { name: string; rows: readonly PlanFeature[] };

const row = (
  name: string,
  cellOf: (plan: (typeof PLANS)[PlanType]) => FeatureCell,
  detail?: string,
): PlanFeature => ({
  name,
  ...(detail !== undefined && { detail }),
  free: cellOf(PLANS.free),
  premium: cellOf(PLANS.premium),
});

/** A row whose cells are the same on every plan. */
const onEvery = (name: string, cell: number | true, detail?: string): PlanFeature =>
  row(name, () => (cell === true ? cell : formatNumber(cell)), detail);

export const CUSTOM_DOMAINS: PlanFeature = row(
  'Custom domains',
  ({ domains }) => formatNumber(domains),
  'Short links on your own domain, with HTTPS.',
);
/** The row of a deployment that does not offer them. */
export const NO_CUSTOM_DOMAINS: PlanFeature = {
  name: 'Custom domains',
  detail: 'Short links on your own domain. For now, they use ours.',
  free: false,
  premium: 'Coming soon',
};

/** Everything that the plans include, and how much of it: the comparison on the pricing page. */
export const PLAN_TABLE: readonly Group[] = [
  {
    name: 'Links',
    rows: [
      row(
        'URLs per month',
        ({ monthlyLimit, name }) =>
          formatNumber(monthlyLimit) + (name === PLANS.premium.name ? ` (${QUOTA_FACTOR})` : ''),
      ),
      FEATURES.bulk,
      FEATURES.import,
      FEATURES.aliases,
      FEATURES.endDates,
      row('Changes of links a day', ({ linkChanges }) => formatNumber(linkChanges)),
      row(
        'New codes for existing links a day',
        ({ renames }) => formatNumber(renames),
        'The earlier code keeps redirecting.',
      ),
      row(
        'Links with a preview card',
        ({ cards }) => formatNumber(cards),
        'Your own title, text and picture in chats and social networks.',
      ),
      onEvery('History', true, `The last ${LINK_CHANGES_MAX} changes of each link, to go back to.`),
      onEvery('Trash', true, `Deleted links can be restored for ${KEEP_TRASH_DAYS} days.`),
      onEvery('Links keep working after a downgrade', true),
      CUSTOM_DOMAINS,
    ],
  },
  {
    name: 'Organizing',
    rows: [
      onEvery('Tags', TAGS_MAX),
      onEvery('Saved views', VIEWS_MAX),
      onEvery('UTM templates', UTM_TEMPLATES_MAX),
      onEvery('Titles, notes, favorites and archive', true),
    ],
  },
  {
    name: 'QR codes',
    rows: [
      FEATURES.qrCodes,
      onEvery('QR studio', true, 'Your colors, shapes and logo, as PNG, PDF and SVG.'),
      onEvery('Saved QR designs', QR_PRESETS_MAX),
    ],
  },
  {
    name: 'Analytics',
    rows: [
      FEATURES.basicAnalytics,
      FEATURES.advancedAnalytics,
      onEvery(
        'Shared reports',
        SHARED_REPORTS_MAX,
        'By a secret address, with an end and a password.',
      ),
      onEvery(
        'Retention',
        true,
        `Hours for ${KEEP_HOURS_DAYS} days, days for ${KEEP_DAYS_MONTHS} months, months for the whole life of a link, recent clicks for ${KEEP_RECENT_CLICKS_DAYS} days.`,
      ),
    ],
  },
  {
    name: 'API and webhooks',
    rows: [
      onEvery(
        'API keys',
        API_KEYS_MAX,
        'With scopes, requests that can be repeated safely, and an OpenAPI description.',
      ),
      row('Requests a minute for each key', ({ apiRequests }) => formatNumber(apiRequests)),
      row('Links in one request', ({ name }) =>
        name === PLANS.premium.name ? formatNumber(V1_BULK_MAX) : '1',
      ),
      row(
        'Webhooks',
        ({ webhooks }) => formatNumber(webhooks),
        'Signed requests to your own systems when links change or are clicked.',
      ),
      row('Deliveries of webhooks a day', ({ webhookDeliveries }) =>
        formatNumber(webhookDeliveries),
      ),
    ],
  },
  { name: 'Service', rows: [FEATURES.prioritySupport, FEATURES.noAds] },
];
