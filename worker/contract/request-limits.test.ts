import { describe, expect, it } from 'vitest';
import type { ZodMiniType } from 'zod/mini';
import { apiKeyRequest, rotateRequest } from './api/api-keys.ts';
import { postInput, publicListQuery } from './blog/blog.ts';
import { importId, wholeNumber } from './common-schemas.ts';
import { domainName, domainTransfer } from './domains.ts';
import { importCheckRequest, importRow, importSourceRequest } from './files/import.ts';
import { forwardParams } from './links/forward-params.ts';
import { linkActionRequest, purgeRequest } from './links/link-actions.ts';
import * as rule from './links/link-rules.ts';
import { bulkRequest, claimRequest } from './links/links.ts';
import { note, time, title } from './links/setting-schemas.ts';
import { tagName, tagNames } from './links/tags.ts';
import { blocklistImport, moderationAction, reportRequest } from './moderation/abuse.ts';
import { qrPresetInput, qrStyle, PLAIN_QR } from './presets/qr-presets.ts';
import { utmTemplateInput } from './presets/utm-templates.ts';
import { viewInput } from './presets/views.ts';
import { analyticsQuery } from './reports/analytics.ts';
import { compareQuery } from './reports/overview.ts';
import { sharedReportInput } from './reports/shared-reports.ts';
import { timesQuery } from './reports/times.ts';
import { actionInput, linkFilter } from './v1/v1-actions.ts';
import { webhookRequest } from './webhooks/webhooks.ts';

const x = (length: number): string => 'x'.repeat(length);
const list = <T>(length: number, itemAt: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => itemAt(at));
const CODES = (count: number) => list(count, (at) => `c${at}`);
const IDS = (count: number) => list(count, (at) => at + 1);
const to = 'https://e.com/';
const RULE = { if: { country: ['BR'] }, to };
const rowsOf = (count: number) => list(count, (at) => ({ line: at + 1, url: to }));
const variantsOf = (...weights: number[]) =>
  weights.map((weight, at) => ({ url: to + at, weight }));
const KEY = { name: 'k', scopes: ['links:read'] };
const POST = { title: 't', content: 'c', slug: 's' };
const UTM = { name: 'n', source: 's' };
const SHARED = { code: 'a', title: 't', parts: [], period: '30d', expiresAt: null, password: null };
const windowOf = (from: string, zone = 'UTC') => ({ time: [{ zone, from, to: '10:00' }] });
const with404 = { reason: 'r', action: 'disable' };

/** What is tested, its schema, the last value that it accepts, and the first that it rejects. */
const LIMITS: readonly [string, ZodMiniType, unknown, unknown][] = [
  ['rules of a link', rule.linkRules, list(20, () => RULE), list(21, () => RULE)],
  [
    'characters of rules',
    rule.linkRules,
    list(4, () => ({ ...RULE, to: to + x(2_000 - to.length - 40) })),
    list(5, () => ({ ...RULE, to: to + x(1_600) })),
  ],
  ['conditions of a rule', rule.ruleConditions, { query: ['a'] }, {}],
  ['values of a condition', rule.ruleConditions, { query: CODES(60) }, { query: CODES(61) }],
  ['values of a condition at least', rule.ruleConditions, { query: ['a'] }, { query: [] }],
  ['letters of a country', rule.ruleConditions, { country: ['br'] }, { country: ['bra'] }],
  ['letters of a language', rule.ruleConditions, { language: ['fil'] }, { language: ['filx'] }],
  ['subtags of a language', rule.ruleConditions, { language: ['zh-Hant'] }, { language: ['zh-'] }],
  ['name of a parameter', rule.ruleConditions, { query: [x(60)] }, { query: [x(61)] }],
  [
    'value of a parameter',
    rule.ruleConditions,
    { query: [`a=${x(200)}`] },
    { query: [`a=${x(201)}`] },
  ],
  ['hours', rule.ruleConditions, windowOf('23:59'), windowOf('24:00')],
  ['minutes', rule.ruleConditions, windowOf('09:00'), windowOf('9:60')],
  [
    'time zones',
    rule.ruleConditions,
    windowOf('09:00', 'Asia/Kolkata'),
    windowOf('09:00', 'Asia/Nowhere'),
  ],
  ['offsets as time zones', rule.ruleConditions, windowOf('09:00'), windowOf('09:00', '+02:00')],
  ['variants', rule.linkVariants, variantsOf(1, 1, 1, 1), variantsOf(1, 1, 1, 1, 1)],
  ['the share of a variant', rule.linkVariants, variantsOf(99), variantsOf(100)],
  ['the least share of a variant', rule.linkVariants, variantsOf(1), variantsOf(0)],
  ['the sum of shares', rule.linkVariants, variantsOf(50, 49), variantsOf(50, 50)],
  [
    'destinations of variants',
    rule.linkVariants,
    variantsOf(1, 2),
    [...variantsOf(1), ...variantsOf(2)],
  ],
  ['the redirect status', rule.statusOfRedirect, 308, 303],
  ['the click limit', rule.limitOfClicks, 1_000_000, 1_000_001],
  ['the least click limit', rule.limitOfClicks, 1, 0],
  ['the password of a link', rule.linkPassword, x(100), x(101)],
  ['characters of a password', rule.linkPassword, ' é ', 'a\0'],
  ['destinations', rule.fallbackAddress, x(2_048), x(2_049)],
  ['titles', title.schemas.page, x(120), x(121)],
  ['notes', note.schemas.page, x(2_000), x(2_001)],
  ['characters of notes', note.schemas.page, 'a\n\tb', 'a\rb'],
  ['end dates', time('end').schemas.page, 253_402_300_799_999, 253_402_300_800_000],
  ['forwarded names', forwardParams, CODES(10), CODES(11)],
  ['the length of forwarded names', forwardParams, [x(40)], [x(41)]],
  ['forwarding the mark of a scan', forwardParams, ['qrx'], ['qr']],
  ['characters of forwarded names', forwardParams, ['a.b[c]'], ['a,b']],
  ['tags of a link', tagNames, CODES(10), CODES(11)],
  ['the name of a tag', tagName, x(40), x(41)],
  ['commas in tags', tagName, 'a.b', 'a,b'],
  ['invisible letters in tags', tagName, 'ab', 'a\u200bb'],
  [
    'codes of an action',
    linkActionRequest,
    { action: 'archive', codes: CODES(100) },
    { action: 'archive', codes: CODES(101) },
  ],
  [
    'codes or ids of an action',
    linkActionRequest,
    { action: 'archive', ids: [1] },
    { action: 'archive', ids: [1], codes: ['a'] },
  ],
  [
    'tags of an action',
    linkActionRequest,
    { action: 'add_tags', ids: [1], tags: ['a'] },
    { action: 'remove_tags', ids: [1], tags: [] },
  ],
  [
    'the end of an action',
    linkActionRequest,
    { action: 'set_end', ids: [1], expiresAt: null },
    { action: 'set_end', ids: [1] },
  ],
  [
    'the watch of an action',
    linkActionRequest,
    { action: 'set_watch', ids: [1], watch: 'on' },
    { action: 'set_watch', ids: [1] },
  ],
  ['links to delete for good', purgeRequest, { ids: IDS(100) }, { ids: IDS(101) }],
  ['links to delete at least', purgeRequest, { ids: [1] }, { ids: [] }],
  ['links at once', bulkRequest, { longUrls: CODES(100) }, { longUrls: CODES(101) }],
  [
    'claimed links',
    claimRequest,
    { links: CODES(20).map((code) => ({ code, token: 't' })) },
    { links: CODES(21).map((code) => ({ code, token: 't' })) },
  ],
  [
    'rows to check',
    importCheckRequest,
    { format: 'csv', rows: rowsOf(500) },
    { format: 'csv', rows: rowsOf(501) },
  ],
  [
    'line numbers',
    importCheckRequest,
    { format: 'csv', rows: rowsOf(2) },
    { format: 'csv', rows: [...rowsOf(1), ...rowsOf(1)] },
  ],
  [
    'clicks of a row',
    importRow,
    { line: 1, url: to, clicks: 1e12 },
    { line: 1, url: to, clicks: 1e12 + 1 },
  ],
  [
    'earlier codes of a row',
    importRow,
    { line: 1, url: to, earlierCodes: CODES(5) },
    { line: 1, url: to, earlierCodes: CODES(6) },
  ],
  ['the first line', importRow, { line: 1, url: to }, { line: 0, url: to }],
  [
    'keys of other services',
    importSourceRequest,
    { source: 'kutt', address: 'a', key: x(200), cursor: 1_000_000 },
    { source: 'kutt', address: 'a', key: x(201), cursor: 0 },
  ],
  [
    'pages of other services',
    importSourceRequest,
    { source: 'shlink', address: x(500), key: 'k', cursor: 0 },
    { source: 'shlink', address: 'a', key: 'k', cursor: 1_000_001 },
  ],
  ['the id of an import', importId, x(64), x(65)],
  ['the shortest id of an import', importId, x(16), x(15)],
  ['numbers in queries', wholeNumber('n', 1, 5), '5', '6'],
  ['the least number in queries', wholeNumber('n', 1, 5), '1', '0'],
  ['decimal numbers in queries', wholeNumber('n', 1, 5), '2', '2.0'],
  [
    'the prefix of a key',
    apiKeyRequest,
    { ...KEY, codePrefix: '-a_' },
    { ...KEY, codePrefix: '_a' },
  ],
  ['scopes of a key', apiKeyRequest, KEY, { ...KEY, scopes: [] }],
  ['hours of two secrets', rotateRequest, { overlapHours: 0 }, { overlapHours: -1 }],
  ['the title of a post', postInput, { ...POST, title: x(200) }, { ...POST, title: x(201) }],
  ['tags of a post', postInput, { ...POST, tags: CODES(5) }, { ...POST, tags: CODES(6) }],
  ['the slug of a post', postInput, { ...POST, slug: 'a-b' }, { ...POST, slug: 'a--b' }],
  ['the length of a slug', postInput, { ...POST, slug: x(100) }, { ...POST, slug: x(101) }],
  ['the excerpt of a post', postInput, { ...POST, excerpt: x(200) }, { ...POST, excerpt: x(201) }],
  ['the content of a post', postInput, { ...POST, content: 'c' }, { ...POST, content: ' \n' }],
  ['the tag of a list of posts', publicListQuery, { tag: x(30) }, { tag: x(31) }],
  ['hosts', domainName, x(253), x(254)],
  ['the receiver of a domain', domainTransfer, { email: x(254) }, { email: x(255) }],
  [
    'details of a report',
    reportRequest,
    { code: x(500), reason: 'phishing', details: x(2_000) },
    { code: 'a', reason: 'phishing', details: x(2_001) },
  ],
  [
    'the code of a report',
    reportRequest,
    { code: 'a', reason: 'spam' },
    { code: x(501), reason: 'spam' },
  ],
  [
    'the reason of a decision',
    moderationAction,
    { ...with404, reason: x(200), scope: { kind: 'host', host: 'e.com' } },
    { ...with404, reason: ' ', scope: { kind: 'host', host: 'e.com' } },
  ],
  [
    'the host of a decision',
    moderationAction,
    { ...with404, scope: { kind: 'host', host: x(253) } },
    { ...with404, scope: { kind: 'host', host: x(254) } },
  ],
  ['hosts of the blocklist', blocklistImport, { hosts: x(200_000) }, { hosts: x(200_001) }],
  ['the margin of a QR code', qrStyle, { ...PLAIN_QR, margin: 10 }, { ...PLAIN_QR, margin: 11 }],
  [
    'colors',
    qrStyle,
    { ...PLAIN_QR, foreground: '#00ff00' },
    { ...PLAIN_QR, foreground: '#00FF00' },
  ],
  [
    'logos',
    qrPresetInput,
    { name: 'n', style: PLAIN_QR, logo: 'data:image/png;base64,iVBORw0KGgoAAAAN' },
    { name: 'n', style: PLAIN_QR, logo: 'data:image/png;base64,PHN2Zz4=' },
  ],
  [
    'the name of a preset',
    qrPresetInput,
    { name: x(40), style: PLAIN_QR },
    { name: x(41), style: PLAIN_QR },
  ],
  ['values of a template', utmTemplateInput, UTM, { ...UTM, source: ' ' }],
  ['the name of a view', viewInput, { name: x(50), filters: {} }, { name: x(51), filters: {} }],
  [
    'clicks in a view',
    viewInput,
    { name: 'n', filters: { min_clicks: '9'.repeat(12) } },
    { name: 'n', filters: { min_clicks: '9'.repeat(13) } },
  ],
  [
    'days of a range',
    timesQuery,
    { from: '2026-01-02', to: '2026-01-02' },
    { from: '2026-01-02', to: '2026-01-01' },
  ],
  ['the last day of a range', timesQuery, {}, { from: '2026-01-02' }],
  ['the first day of a range', timesQuery, {}, { to: '2026-01-02' }],
  ['time zones of reports', timesQuery, { tz: 'Asia/Kolkata' }, { tz: 'Asia/Nowhere' }],
  [
    'two filters',
    analyticsQuery,
    { filter: 'country:IN', and: 'device:Mobile' },
    { filter: 'country:IN', and: 'country:US' },
  ],
  ['the first of two filters', analyticsQuery, { filter: 'os:iOS' }, { and: 'os:iOS' }],
  ['values that are not listed', analyticsQuery, { filter: 'os:Others' }, { filter: 'os:Other' }],
  ['parts of a city', analyticsQuery, { filter: 'city:a|b|c' }, { filter: 'city:a|b' }],
  ['compared links', compareQuery, { links: 'a,b,c,d,e' }, { links: 'a,b,c,d,e,f' }],
  ['compared tags', compareQuery, { tags: 'a,b' }, { tags: 'a,b,c' }],
  ['links or tags to compare', compareQuery, { tags: 'a' }, { tags: 'a', links: 'a' }],
  ['something to compare', compareQuery, { links: 'a' }, {}],
  ['links or tags to share', sharedReportInput, SHARED, { ...SHARED, tagId: 1 }],
  [
    'the dates of a shared report',
    sharedReportInput,
    { ...SHARED, period: 'dates', from: '2026-01-01', to: '2026-01-01' },
    { ...SHARED, period: 'dates', from: '2026-01-01' },
  ],
  [
    'the order of the dates',
    sharedReportInput,
    { ...SHARED, period: 'dates', from: '2026-01-01', to: '2026-01-02' },
    { ...SHARED, period: 'dates', from: '2026-01-02', to: '2026-01-01' },
  ],
  [
    'dates of another period',
    sharedReportInput,
    SHARED,
    { ...SHARED, from: '2026-01-01', to: '2026-01-02' },
  ],
  [
    'ids of the public API',
    actionInput,
    { action: 'archive', ids: CODES(1_000) },
    { action: 'archive', ids: CODES(1_001) },
  ],
  ['ids or a filter', actionInput, { action: 'archive', ids: ['a'] }, { action: 'archive' }],
  [
    'tags of another action',
    actionInput,
    { action: 'add_tags', ids: ['a'], tags: ['t'] },
    { action: 'archive', ids: ['a'], tags: ['t'] },
  ],
  [
    'an end of another action',
    actionInput,
    { action: 'set_end', ids: ['a'], expiresAt: null },
    { action: 'archive', ids: ['a'], expiresAt: null },
  ],
  [
    'a watch of another action',
    actionInput,
    { action: 'set_watch', ids: ['a'], watch: 'off' },
    { action: 'archive', ids: ['a'], watch: 'off' },
  ],
  [
    'the expected number',
    actionInput,
    { action: 'archive', filter: { tag: 't' }, expectedCount: 0 },
    { action: 'archive', filter: { tag: 't' } },
  ],
  [
    'filters of the trash',
    actionInput,
    { action: 'restore', filter: { tag: 't', favorite: true }, dryRun: true },
    { action: 'restore', filter: { q: 't' }, dryRun: true },
  ],
  ['members of a filter', linkFilter, { archived: false }, {}],
  ['the search of a filter', linkFilter, { q: x(100) }, { q: x(101) }],
  ['clicks of a filter', linkFilter, { minClicks: 0 }, { minClicks: -1 }],
  [
    'events of a webhook',
    webhookRequest,
    { url: to, events: ['link.created'], description: x(100), tag: x(40) },
    { url: to, events: [] },
  ],
  [
    'the description of a webhook',
    webhookRequest,
    { url: to, events: ['link.created'] },
    { url: to, events: ['link.created'], description: x(101) },
  ],
];

describe('a request', () => {
  it.each(LIMITS)('bounds %s', (_, schema, last, first) => {
    expect(schema.safeParse(last).error?.issues).toBeUndefined();
    expect(schema.safeParse(first).success).toBe(false);
  });
});
