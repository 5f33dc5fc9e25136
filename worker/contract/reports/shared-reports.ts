import * as z from 'zod/mini';
import { limitMessage } from '#contract/limit-message.ts';
import type { CountsByName, Figures } from './analytics.ts';
import { changesSomething, dayParam, oneLine, rfc3339 } from '#contract/common-schemas.ts';
import { PASSWORD_MAX_BYTES, PASSWORD_MIN, SHARED_TITLE_MAX } from '#contract/limits.ts';

/**
 * Read-only reports of a link or a tag that anybody with their secret address can open. The owner
 * chooses parts and period; the viewer chooses nothing.
 */

/**
 * The parts by value, and whether they belong to advanced analytics. `variants` are the destinations
 * of a link that divides its visitors; a tag has none.
 */
export const SHARED_LISTS = {
  countries: { name: 'Countries', advanced: false },
  devices: { name: 'Devices', advanced: false },
  variants: { name: 'Variants', advanced: false },
  cities: { name: 'Cities', advanced: true },
  browsers: { name: 'Browsers', advanced: true },
  systems: { name: 'Systems', advanced: true },
  sources: { name: 'Sources', advanced: true },
  campaigns: { name: 'Campaigns', advanced: true },
} as const;
export type SharedListName = keyof typeof SHARED_LISTS;

/** The other parts. `links` lists the most clicked links of a tag. */
const OTHER_PARTS = ['links', 'shortUrls', 'destinations'] as const;
export type SharedPart = SharedListName | (typeof OTHER_PARTS)[number];

const isListName = (name: string): name is SharedListName => Object.hasOwn(SHARED_LISTS, name);
export const SHARED_LIST_NAMES: readonly SharedListName[] =
  Object.keys(SHARED_LISTS).filter(isListName);
export const SHARED_PARTS: readonly SharedPart[] = [...SHARED_LIST_NAMES, ...OTHER_PARTS];

/** `7d`, `30d` and `90d` follow the present day. `dates` is fixed, with a first and a last day. */
export const SHARED_PERIODS = ['7d', '30d', '90d', 'all', 'dates'] as const;
export type SharedPeriod = (typeof SHARED_PERIODS)[number];

/** Values with fewer clicks are part of `other`. */
export const LEAST_SHOWN_CLICKS = 5;

const title = oneLine('The title', SHARED_TITLE_MAX).check(
  z.minLength(1, 'Enter a title for the report.'),
);

const parts = z.array(z.enum(SHARED_PARTS)).check(z.maxLength(SHARED_PARTS.length));

const password = z.string().check(
  z.minLength(PASSWORD_MIN, `A password needs at least ${PASSWORD_MIN} characters.`),
  z.refine(
    (text: string) => new TextEncoder().encode(text).length <= PASSWORD_MAX_BYTES,
    limitMessage('A password', PASSWORD_MAX_BYTES, 'byte'),
  ),
);

const settings = {
  title,
  parts,
  period: z.enum(SHARED_PERIODS),
  /** The first and the last day (UTC) of the period `dates`. */
  from: dayParam('from'),
  to: dayParam('to'),
  /** Null for a report without an end. */
  expiresAt: z.nullable(rfc3339),
  /** Null for a report without a password. */
  password: z.nullable(password),
};

type Period = {
  period?: SharedPeriod | undefined;
  from?: string | undefined;
  to?: string | undefined;
};
const hasDates = z.refine<Period>(
  ({ period, from, to }) =>
    period === 'dates'
      ? from !== undefined && to !== undefined
      : from === undefined && to === undefined,
  'The period dates needs from and to. The other periods have neither.',
);
const isInOrder = z.refine<Period>(
  ({ from, to }) => from === undefined || to === undefined || from <= to,
  { error: 'The last day is before the first one.', path: ['to'] },
);

/**
 * POST /api/shared-reports → 201. `code` shares a link, `tagId` a tag. The answer is the only one
 * with the address.
 */
export const sharedReportInput = z
  .object({ ...settings, code: z.optional(z.string()), tagId: z.optional(z.int()) })
  .check(
    hasDates,
    isInOrder,
    z.refine(
      ({ code, tagId }) => (code === undefined) !== (tagId === undefined),
      'Send either code or tagId.',
    ),
  );
export type SharedReportInput = z.infer<typeof sharedReportInput>;

/** PATCH /api/shared-reports/:id. The address stays. Dates change together with `period`. */
export const sharedReportChange = z
  .partial(z.object(settings))
  .check(
    hasDates,
    isInOrder,
    changesSomething('Nothing to change. Send title, parts, period, expiresAt or password.'),
  );
export type SharedReportChange = z.infer<typeof sharedReportChange>;

/** A shared report as its owner sees it. Times are RFC 3339. */
export type SharedReport = {
  id: string;
  subject: { kind: 'link'; code: string } | { kind: 'tag'; id: number; name: string };
  title: string;
  parts: SharedPart[];
  period: SharedPeriod;
  from: string | null;
  to: string | null;
  expiresAt: string | null;
  hasPassword: boolean;
  createdAt: string;
  /** False while the link is disabled or in the trash: its address then shows nothing. */
  available: boolean;
};
/** The address contains the secret, of which only a hash is stored. */
export type CreatedSharedReport = SharedReport & { address: string };
/** GET /api/shared-reports: the member's shared reports, the newest first. */
export type SharedReportsResponse = { reports: SharedReport[] };

/** POST /api/shared-report opens a report. The secret is in the body, so that no log has it. */
export const sharedReportRequest = z.object({
  secret: z.string().check(z.maxLength(100)),
  password: z.optional(z.string().check(z.maxLength(PASSWORD_MAX_BYTES))),
});

/** `name` is '' for clicks without a campaign. `country` is the code of a city's country. */
export type SharedRow = { name: string; country?: string; clicks: number };
/**
 * The clicks by value, in descending order. `other` is the sum of the values with few clicks. Lists
 * count whole days only, `from` and `to` included.
 */
export type SharedList = {
  list: SharedListName;
  rows: SharedRow[];
  other: number;
  from: string;
  to: string;
};
export type SharedLink = {
  title: string;
  shortUrl: string | null;
  destination: string | null;
  clicks: number;
};
export type SharedCounts = {
  /** The first and the last day, 'YYYY-MM-DD' (UTC). */
  from: string;
  to: string;
  totals: Figures;
  clicksByDate: CountsByName;
  lists: SharedList[];
  /** The ten most clicked links of a tag; null if they are not shared. */
  links: SharedLink[] | null;
};
/** What a viewer gets. `counts` is null if none of the days are kept. */
export type SharedReportView = {
  kind: 'link' | 'tag';
  title: string;
  shortUrl: string | null;
  destination: string | null;
  expiresAt: string | null;
  counts: SharedCounts | null;
};
