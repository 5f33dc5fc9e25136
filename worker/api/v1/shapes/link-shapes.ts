import { rfc3339 } from '#contract/common-schemas.ts';
import { forwardParams } from '#contract/links/forward-params.ts';
import type { SettingName } from '#contract/links/link-settings.ts';
import { formatNumber } from '#contract/language.ts';
import {
  ALIAS_MAX,
  EARLIER_CODES_MAX,
  LIVE_ORDER_MAX_LINKS,
  PASSWORDS_PER_REQUEST,
} from '#contract/limits.ts';
import {
  type countQuery,
  currentState,
  link,
  linkCount,
  linkInput,
  linkList,
  linkPatch,
  type linksQuery,
  linkStatus,
  linkUpsert,
  type qrQuery,
  type V1Link,
  writtenLink,
} from '#contract/v1/v1.ts';
import {
  describeAnswer,
  describeRequest,
  describeValue,
  type MemberTexts,
  type NamedSchema,
} from './shape.ts';

/** The OpenAPI schemas of links. */

export const EXAMPLE_LINK: V1Link = {
  id: 'lnk_7cfjgEYp0Sa0YBLen3iIh1',
  code: 'summer-sale',
  earlierCodes: ['summer'],
  domain: '',
  shortUrl: 'https://hop.example/summer-sale',
  url: 'https://example.com/summer-sale',
  externalId: 'campaign-42',
  status: 'active',
  state: 'active',
  statusReason: null,
  title: 'Summer sale',
  note: 'On the poster in the window.',
  expiresAt: '2099-12-31T23:59:59.000Z',
  startsAt: null,
  fallbackUrl: 'https://example.com/next-sale',
  redirectStatus: 302,
  clickLimit: null,
  clickLimitOpen: false,
  clickLimitUsed: 0,
  rules: [
    { if: { country: ['DE', 'AT'], language: ['de'] }, to: 'https://example.com/de/summer-sale' },
  ],
  variants: [{ url: 'https://example.com/summer-sale-b', weight: 30 }],
  hasPassword: false,
  watch: 'on',
  watchFallback: 'archive',
  card: {
    title: 'Summer sale',
    description: 'Until the end of August.',
    image: null,
    updatedAt: '2027-02-01T08:30:00.000Z',
  },
  health: {
    state: 'ok',
    reason: 'answered',
    status: 200,
    detail: 'The destination answered 200.',
    checkedAt: '2027-02-01T08:30:00.000Z',
    since: '2027-01-31T12:01:00.000Z',
    replacedUrl: null,
  },
  archived: false,
  favorite: true,
  forwardParams: ['ref'],
  suggestOnTypo: false,
  tags: ['sale'],
  clicks: 1204,
  importedClicks: null,
  createdAt: '2027-01-31T12:00:00.000Z',
  updatedAt: '2027-02-01T08:30:00.000Z',
};

/** The settings of a link that have the same name in requests and in answers. */
export const SETTING_TEXTS = {
  expiresAt: 'When the link stops redirecting to its destination; null for never.',
  startsAt:
    'When the link begins to redirect; null for at once. Before that it answers 404 and shows no destination.',
  fallbackUrl: 'Where the link leads after its end; empty for nowhere. It is sent as a 302.',
  redirectStatus:
    'The status of its redirects. Some programs remember a permanent redirect (301, 308): their later clicks are not counted, and a change of the destination does not reach them.',
  clickLimit:
    'How many clicks the link redirects; null for any number. Exact: clicks are counted from the moment when a limit is set, repeated ones too, and bots and prefetches are neither counted nor redirected. After the last one the link answers 410, or leads to `fallbackUrl`.',
  clickLimitOpen:
    'Whether the link redirects while its clicks cannot be counted. If not, it answers 503 then.',
  rules:
    'Where the link leads some of its visitors. The first rule whose conditions all match decides; without one, the link leads to `url`. A condition is a list of allowed values. Programs that build a card of a link get `url`.',
  variants: 'Other destinations and their percentage of visitors. `url` gets the rest.',
  watch:
    'Whether the destination is checked: daily if the link was clicked within a week, otherwise every 30 days, and not after half a year without clicks. `on` leaves out addresses that look as if they worked once, and links with a password; `always` checks these, too.',
  watchFallback:
    'Where the link leads while its destination is unreachable: an address, or `archive` for the latest copy at web.archive.org. Empty for nowhere else.',
  title: 'A name for the link, which its visitors do not see.',
  note: 'A text about the link, which its visitors do not see. To set it needs `links:write`.',
  archived: 'Whether lists leave the link out. An archived link redirects like any other.',
  favorite: 'Whether its owner has marked the link as a favorite.',
  forwardParams:
    'Which query parameters of the short URL its redirect adds to the destination. A parameter that the destination has is never replaced.',
  suggestOnTypo:
    'Whether the page for an unknown code may suggest the link if the code differs from its own only by case or by look-alike letters, such as `0` and `O`.',
} satisfies Readonly<Partial<Record<SettingName, string>>>;
export const SHOWN_TEXTS = {
  ...SETTING_TEXTS,
  hasPassword: 'Whether visitors enter a password before they are redirected. It is never shown.',
};

export const PASSWORD_TEXT = `The password that visitors enter before they are redirected; empty for none. It is stored as a hash and never shown. A request can set at most ${PASSWORDS_PER_REQUEST} different ones.`;

const DOMAIN =
  'The host of the short URL: a domain from `GET /domains`, or empty for the deployment’s own short host. Absent for the default domain of the account. Not for keys with a code prefix.';

/** The members by which a link is created or changed. */
const INPUT = {
  ...SETTING_TEXTS,
  title: `${SETTING_TEXTS.title} Null clears it.`,
  note: `${SETTING_TEXTS.note} Null clears it.`,
  password: `${PASSWORD_TEXT} Null removes it.`,
  url: 'Where the link leads: an http or https address of a public host.',
  domain: DOMAIN,
  enabled: 'Whether the link redirects. `false` disables it.',
  tags: 'The names of all its tags; those that do not exist yet are created. Needs `links:write` and a key without a code prefix.',
} as const;
const NEW_CODE = `The part behind the host: 1 to ${ALIAS_MAX} letters, digits, hyphens and underscores. It is generated if absent.`;
const EXTERNAL_ID =
  'The id that your own system has for the link, unique among your links; null for none. Needs `links:write`. Keys with a code prefix have separate ids, which only keys with the same prefix see.';

/** The filters of lists, and of actions on links. */
export const FILTERS = {
  q: 'Words. Each of them must begin a word of the code, the title, the destination, the note or a tag.',
  status: 'Only links in this state.',
  createdAfter: 'Only links that were created at this time or later.',
  createdBefore: 'Only links that were created before this time.',
  tag: 'Only links with the tag of this name, in any case.',
  host: 'Only links that lead to this host: `example.com`.',
  domain: 'Only links on this domain: `go.example.com`; empty for the deployment’s own short host.',
  favorite: 'Only favorites, or only other links.',
  health: 'Only watched links whose destination was last found in this state.',
  archived: 'Only archived links, or only the others.',
  minClicks: 'Only links with at least as many clicks.',
  maxClicks: 'Only links with at most as many clicks.',
  lastClickBefore: 'Only links that nobody has clicked since this time, or ever.',
};
export const COUNT_TEXTS: MemberTexts<typeof countQuery> = {
  ...FILTERS,
  import: 'Only links that the import with this `id` created.',
};
export const LIST_TEXTS: MemberTexts<typeof linksQuery> = {
  ...COUNT_TEXTS,
  limit: 'The most links on a page.',
  cursor: '`nextCursor` or `previousCursor` of a page with the same filters and order.',
  sort: `The order; a minus sign means descending. In accounts with more than ${formatNumber(LIVE_ORDER_MAX_LINKS)} links, orders and filters by clicks are up to an hour old.`,
};
export const QR_TEXTS: MemberTexts<typeof qrQuery> = { size: 'The side of the image in px.' };

/** The members of a link in events and in answers. */
export const EVENT_LINK_TEXTS = {
  id: 'The id of the link. It never changes.',
  code: 'The part of the short URL behind the host. On a domain, the id of the domain and a slash come before it.',
  domain:
    'The host of the short URL, if it is a domain; empty for the deployment’s own short host.',
  earlierCodes:
    'Codes that the link had before it was renamed, the latest first. They keep redirecting to it.',
  shortUrl: 'The short URL.',
  url: 'The destination.',
  externalId: 'The id that your own system has for the link; null if it has none.',
  status: 'Whether the link redirects, once it has started.',
  state: 'What a click on the link meets: as `status`, and `scheduled` before `startsAt`.',
  statusReason: 'Why the link is disabled, as a sentence; null if it is not.',
  ...SHOWN_TEXTS,
  importedClicks:
    'Clicks that another service counted before the link was imported from there; `clicks` does not contain them. Null if it was not imported.',
  card: 'Its preview card, which chats and social networks show; null for none. `PUT /links/{id}/card` sets it.',
  health: 'What the checks of its destination have found; null if it is not watched.',
  tags: 'The names of its tags.',
  createdAt: 'When the link was created.',
  updatedAt: 'When the link was last changed.',
};
const LINK: MemberTexts<typeof link> = {
  ...EVENT_LINK_TEXTS,
  clicks: 'Clicks of people since the link was created. Bots and prefetches are not counted.',
  clickLimitUsed:
    'How many clicks of `clickLimit` are used, up to about ten seconds ago; 0 without a limit.',
};

export const LINK_SHAPES: readonly NamedSchema[] = [
  describeValue(
    'Time',
    rfc3339,
    'A time of RFC 3339, such as `2027-01-31T12:00:00Z`, with `T` and `Z` as capital letters. In a query, `+` is sent as `%2B`.',
    'input',
  ),
  describeValue(
    'LinkStatus',
    linkStatus,
    '`active` links redirect; `disabled` and `expired` ones show a page that says so.',
  ),
  describeValue(
    'CurrentState',
    currentState,
    'As `LinkStatus`, and `scheduled` for a link that will redirect from `startsAt`. Values may be added.',
  ),
  describeValue(
    'ForwardParams',
    forwardParams,
    '`none`, `all`, or the names of parameters that the redirect adds to the destination.',
  ),
  describeAnswer('Link', link, 'A short link.', LINK, EXAMPLE_LINK),
  describeAnswer(
    'WrittenLink',
    writtenLink,
    'A link in the answer to a request that writes: the whole link for keys with `links:read`; for other keys only `id`, `code` and `shortUrl`.',
    LINK,
    EXAMPLE_LINK,
  ),
  describeRequest('LinkInput', linkInput, 'A new link.', {
    ...INPUT,
    code: NEW_CODE,
    externalId: EXTERNAL_ID,
  }),
  describeRequest(
    'LinkUpsert',
    linkUpsert,
    'A link that is created or changed by its external id. Absent members of an existing link keep their value.',
    {
      ...INPUT,
      domain: `${DOMAIN} An existing link must be on this domain.`,
      code: `${NEW_CODE} An existing link must have this code.`,
    },
  ),
  describeRequest('LinkPatch', linkPatch, 'What changes. Absent members keep their value.', {
    ...INPUT,
    domain:
      'The domain that the link moves to; empty for the deployment’s own short host. Its earlier short URL keeps redirecting to it. Not for keys with a code prefix.',
    code: `A new code. The earlier ones, up to ${EARLIER_CODES_MAX}, keep redirecting to the link.`,
    externalId: EXTERNAL_ID,
  }),
  describeAnswer(
    'LinkList',
    linkList,
    'One page of links.',
    {
      data: 'The links of this page.',
      nextCursor: '`cursor` of the next page; null on the last one.',
      previousCursor: '`cursor` of the page before; null on the first one.',
    },
    { data: [EXAMPLE_LINK], nextCursor: 'eyJpZCI6MTIzfQ', previousCursor: null },
  ),
  describeAnswer(
    'LinkCount',
    linkCount,
    'A number of links.',
    { count: 'How many links the filters accept.' },
    { count: 12 },
  ),
];
