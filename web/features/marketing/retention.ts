import {
  DAY_DETAILS_PERIOD_MONTHS,
  DELETE_RECENT_CLICKS_DAYS,
  KEEP_ACCOUNT_DETAILS_DAYS,
  KEEP_COPIES,
  KEEP_DAYS_MONTHS,
  KEEP_HOURS_DAYS,
  KEEP_LINK_CLAIMS_DAYS,
  KEEP_RECENT_CLICKS_DAYS,
  KEEP_REPEATABLE_REQUESTS_HOURS,
  KEEP_REPORT_CURRENT_DAYS,
  KEEP_NOTICED_DAYS,
  KEEP_SESSIONS_DAYS,
  KEEP_SET_ASIDE_DAYS,
  KEEP_TRASH_DAYS,
  KEEP_UNCONFIRMED_DAYS,
  KEEP_VISITOR_KEYS_HOURS,
  KEEP_WEBHOOK_DELIVERIES_DAYS,
  KEEP_WINDOW_IDS_DAYS,
  LINK_CHANGES_MAX,
  PLATFORM_HISTORY_DAYS,
  RECENT_CLICKS_MAX,
  TARGET_CHANGES_KEPT,
} from '#contract/limits.ts';
import type { FactItem } from './prose.tsx';

/** What is kept for how long: the constants by which jobs delete, in the words of the page. */
export const RETENTION: readonly FactItem[] = [
  { name: 'Your account', value: 'Until you delete it' },
  {
    name: 'Accounts that were never confirmed',
    value: `${KEEP_UNCONFIRMED_DAYS} days`,
    setting: 'embedded',
  },
  {
    name: 'Sessions',
    value: `Until you sign out, and ${KEEP_NOTICED_DAYS} days longer if an email told you about the sign-in. At most ${KEEP_SESSIONS_DAYS} days after it`,
    setting: 'embedded',
  },
  {
    name: 'Your links',
    value: `As long as your account, with your titles, notes, tags, the last ${LINK_CHANGES_MAX} changes of each, and the first and last ${TARGET_CHANGES_KEPT} of its destination. You can restore a deleted link for ${KEEP_TRASH_DAYS} days; its code stays reserved`,
  },
  {
    name: 'Quota used by a deleted account',
    value: 'Until the end of its monthly cycle, under a keyed hash of the email address',
  },
  {
    name: 'Suspensions and removed admin roles',
    value: 'Until an administrator lifts them, under a keyed hash of the email address',
  },
  {
    name: 'Hours, places, devices and referrers of a day',
    value: `${2 * DAY_DETAILS_PERIOD_MONTHS} to ${3 * DAY_DETAILS_PERIOD_MONTHS} months, then places, devices and referrers are merged into months. Those of a link’s latest day with clicks stay with the link`,
  },
  {
    name: 'Clicks per day',
    value: `As long as the link. Shown by month after ${KEEP_DAYS_MONTHS} months`,
  },
  {
    name: 'Places, devices, sources and top links of your account’s report',
    value: `By day, for ${KEEP_ACCOUNT_DETAILS_DAYS} days. Hours of a link are shown for ${KEEP_HOURS_DAYS} days`,
  },
  {
    name: 'Clicks that could not be counted at first',
    value: `At most ${KEEP_SET_ASIDE_DAYS} days, without visitor keys`,
  },
  {
    name: 'Recent clicks',
    value: `The last ${RECENT_CLICKS_MAX} per link, shown for ${KEEP_RECENT_CLICKS_DAYS} days and deleted within ${DELETE_RECENT_CLICKS_DAYS}`,
  },
  {
    name: 'Daily visitor keys',
    value: `${KEEP_VISITOR_KEYS_HOURS} hours, then destroyed. What was computed with them is a random number from then on, and is deleted within ${DELETE_RECENT_CLICKS_DAYS} days`,
  },
  {
    name: 'Ids that prevent counting a click twice',
    value: `${KEEP_WINDOW_IDS_DAYS} days. They identify nobody`,
  },
  {
    name: 'Reports about links',
    value:
      'As long as they are needed as evidence, with the reported destination. They contain no name and no address of yours',
  },
  {
    name: 'Keys to add a link without an account to one',
    value: `A hash until it is used, at most ${KEEP_LINK_CLAIMS_DAYS} days`,
  },
  { name: 'API keys', value: 'Until you revoke them. We store a hash of the secret' },
  {
    name: 'Reports that you share',
    value:
      'Until you stop sharing them or they end. We store hashes of the secret and the password',
  },
  {
    name: 'Webhooks, and what was sent to them',
    value: `Until you delete them; each delivery for ${KEEP_WEBHOOK_DELIVERIES_DAYS} days. Clicks are sent as sums, without anything about visitors`,
  },
  { name: 'Designs of QR codes that you save, with their logos', value: 'Until you delete them' },
  {
    name: 'API requests that a program may repeat',
    value: `${KEEP_REPEATABLE_REQUESTS_HOURS} hours`,
  },
  {
    name: 'When you last opened the report on all links',
    value: `The day, until you delete your account. The report is kept up to date for ${KEEP_REPORT_CURRENT_DAYS} days after it`,
  },
  { name: 'Database backups of the platform', value: `${PLATFORM_HISTORY_DAYS} days` },
  {
    name: 'Our own backups, also of deleted accounts',
    value: `The last ${KEEP_COPIES.days} daily ones, one a week for ${KEEP_COPIES.weeks} weeks, one a month for ${KEEP_COPIES.months} months. They contain no sessions, visitor keys or recent clicks`,
  },
];
