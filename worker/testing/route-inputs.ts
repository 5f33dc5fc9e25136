import { linkTestRequest } from '#contract/links/link-test.ts';
import { env } from 'cloudflare:test';
import * as z from 'zod/mini';
import { reportRequest } from '#contract/moderation/abuse.ts';
import { apiKeyRequest, rotateRequest } from '#contract/api/api-keys.ts';
import { deleteAccountRequest } from '#contract/account/account.ts';
import { accountLinksQuery, someLinksFileRequest } from '#contract/files/links-file.ts';
import { analyticsExportQuery, analyticsQuery } from '#contract/reports/analytics.ts';
import {
  compareQuery,
  liveClicksQuery,
  overviewExportQuery,
  overviewQuery,
  overviewTimesQuery,
} from '#contract/reports/overview.ts';
import { timesQuery } from '#contract/reports/times.ts';
import { linkActivityQuery } from '#contract/links/link-activity.ts';
import { postChange, postInput, postListQuery } from '#contract/blog/blog.ts';
import {
  defaultDomainRequest,
  domainChange,
  domainRemoval,
  domainTransfer,
  newDomainRequest,
} from '#contract/domains.ts';
import { importCheckRequest, importRequest, importSourceRequest } from '#contract/files/import.ts';
import { linkActionRequest, purgeRequest } from '#contract/links/link-actions.ts';
import {
  bulkRequest,
  claimRequest,
  linkChange,
  linkFilterQuery,
  myLinksQuery,
  shortenRequest,
} from '#contract/links/links.ts';
import { authorizeQuery, grantRequest } from '#contract/api/oauth.ts';
import { tagChange, tagInput, tagMerge } from '#contract/links/tags.ts';
import { PLAIN_QR, qrPresetChange, qrPresetInput } from '#contract/presets/qr-presets.ts';
import { utmTemplateInput } from '#contract/presets/utm-templates.ts';
import { viewInput } from '#contract/presets/views.ts';
import { downgradeRequest } from '#contract/plans/plans.ts';
import {
  sharedReportChange,
  sharedReportInput,
  sharedReportRequest,
} from '#contract/reports/shared-reports.ts';
import { unsubscribeQuery, weeklyMailChange } from '#contract/reports/weekly-mail.ts';
import {
  deliveriesQuery,
  webhookChange,
  webhookRequest,
  webhookRotateRequest,
} from '#contract/webhooks/webhooks.ts';
import { newClientId } from '#worker/oauth/client-id.ts';
import { ADMIN_INPUTS } from './admin-inputs.ts';
import { CARD_INPUTS } from './card-pictures.ts';
import { queryFor, REDIRECT } from './oauth.ts';

/** Schemas with valid input that has every field: one example of a body per variant. */
type RouteInput = {
  body?: { schema: z.ZodMiniType; examples: Record<string, unknown>[] };
  query?: { schema: z.ZodMiniType; example: Record<string, string> };
};

const NONE: RouteInput = {};
const OWN_PERIOD = { range: '7d', from: '2026-11-01', to: '2026-11-20' };
const post = { title: 'A title', content: 'Some text.', slug: 'a-title', published: false };
const sharedReport = {
  title: 'A title',
  parts: ['countries', 'links'],
  period: 'dates',
  from: '2026-01-01',
  to: '2026-01-31',
  expiresAt: '2200-01-01T00:00:00Z',
  password: 'correct horse',
};
const IMPORT_ROW = {
  line: 1,
  url: 'https://example.com/',
  code: 'input-import',
  title: 'A title',
  note: 'A note.',
  tags: ['a tag'],
  createdAt: '2020-01-01T00:00:00Z',
  expiresAt: '2200-01-01T00:00:00Z',
  forwardParams: ['ref'],
  clicks: 1,
  archived: false,
  favorite: false,
  disabled: false,
  sourceId: 'x',
  nth: 1,
};

const APP_REQUEST = queryFor(
  newClientId(env.AUTH_SECRET ?? '', { name: 'Assistant', redirectUris: [REDIRECT] }) ?? '',
);

const LINK_FILTERS = {
  q: 'a',
  status: 'active',
  tag: 'a',
  favorite: '1',
  host: 'example.com',
  from: '2026-01-01T00:00:00Z',
  to: '2027-01-01T00:00:00Z',
  min_clicks: '0',
  max_clicks: '9',
};

/** The input of every route except the sign-in routes. A new route needs an entry. */
export const ROUTE_INPUTS: Readonly<Record<string, RouteInput>> = {
  'GET /api/health': NONE,
  'GET /api/ready': NONE,
  'POST /api/shorten': {
    body: {
      schema: shortenRequest,
      examples: [
        {
          longUrl: 'https://example.com/',
          customCode: 'input-example',
          expiresAt: 9_000_000_000_000,
          title: 'A title',
          note: 'A note.',
          tags: ['a tag'],
          forwardParams: 'all',
        },
      ],
    },
  },
  'POST /api/shorten/bulk': {
    body: { schema: bulkRequest, examples: [{ longUrls: ['https://example.com/'] }] },
  },
  'POST /api/links/import/check': {
    body: { schema: importCheckRequest, examples: [{ format: 'bitly', rows: [IMPORT_ROW] }] },
  },
  'POST /api/links/import/source': {
    body: {
      schema: importSourceRequest,
      examples: [{ source: 'kutt', address: 'https://127.0.0.1/', key: 'a', cursor: 0 }],
    },
  },
  'POST /api/links/import': {
    body: {
      schema: importRequest,
      examples: [
        {
          format: 'bitly',
          id: 'import-example-1',
          collisions: 'suffix',
          rows: [{ ...IMPORT_ROW, url: 'no address' }],
        },
      ],
    },
  },
  'GET /api/my-urls': {
    query: {
      schema: myLinksQuery,
      example: {
        ...LINK_FILTERS,
        cursor: 'WyJhZnRlciIsIi1jcmVhdGVkIiwxLDFd',
        sort: '-created',
      },
    },
  },
  'GET /api/my-urls/ids': { query: { schema: linkFilterQuery, example: LINK_FILTERS } },
  'POST /api/links/purge': { body: { schema: purgeRequest, examples: [{ ids: [1] }] } },
  'GET /api/my-urls/totals': { query: { schema: linkFilterQuery, example: LINK_FILTERS } },
  'GET /api/link-activity': { query: { schema: linkActivityQuery, example: { ids: '1,2' } } },
  'POST /api/links/actions': {
    body: {
      schema: linkActionRequest,
      examples: [
        { codes: ['nobody'], action: 'set_end', tags: ['a tag'], expiresAt: 9_000_000_000_000 },
        { ids: [1], action: 'set_watch', watch: 'on' },
      ],
    },
  },
  'GET /api/tags': NONE,
  'POST /api/tags': { body: { schema: tagInput, examples: [{ name: 'A tag', color: 'blue' }] } },
  'PATCH /api/tags/:id': {
    body: { schema: tagChange, examples: [{ name: 'Another tag', color: 'red' }] },
  },
  'POST /api/tags/:id/merge': { body: { schema: tagMerge, examples: [{ into: 1 }] } },
  'DELETE /api/tags/:id': NONE,
  'GET /api/utm-templates': NONE,
  'POST /api/utm-templates': {
    body: {
      schema: utmTemplateInput,
      examples: [
        {
          name: 'A template',
          source: 'news',
          medium: 'email',
          campaign: 'spring',
          term: 'shoes',
          content: 'top',
        },
      ],
    },
  },
  'DELETE /api/utm-templates/:id': NONE,
  'GET /api/shared-reports': NONE,
  'POST /api/shared-reports': {
    body: { schema: sharedReportInput, examples: [{ ...sharedReport, code: 'nobody' }] },
  },
  'PATCH /api/shared-reports/:id': {
    body: { schema: sharedReportChange, examples: [sharedReport, { title: 'Another title' }] },
  },
  'DELETE /api/shared-reports/:id': NONE,
  'POST /api/shared-report': {
    body: {
      schema: sharedReportRequest,
      examples: [{ secret: 'nobody', password: 'correct horse' }],
    },
  },
  'GET /api/views': NONE,
  'POST /api/views': {
    body: {
      schema: viewInput,
      examples: [{ name: 'A view', filters: { tag: 'a tag', sort: '-clicks' } }],
    },
  },
  'DELETE /api/views/:id': NONE,
  'POST /api/links/claim': {
    body: { schema: claimRequest, examples: [{ links: [{ code: 'nobody', token: 'x' }] }] },
  },
  'POST /api/links/test': {
    body: {
      schema: linkTestRequest,
      examples: [
        {
          longUrl: 'https://example.com/',
          settings: { rules: [{ if: { device: ['ios'] }, to: 'https://example.com/app' }] },
          visitor: { device: 'ios', country: 'BR', language: 'pt', query: 'a=1', at: 1 },
        },
      ],
    },
  },
  ...CARD_INPUTS,
  'GET /api/links/:code': NONE,
  'GET /api/links/:code/history': NONE,
  'PATCH /api/links/:code': {
    body: {
      schema: linkChange,
      examples: [
        {
          longUrl: 'https://example.com/',
          customCode: 'another-code',
          expiresAt: 9_000_000_000_000,
          enabled: true,
          forwardParams: ['ref'],
          startsAt: 8_000_000_000_000,
          fallbackUrl: 'https://example.com/after',
          redirectStatus: 301,
          rules: [{ if: { country: ['BR'] }, to: 'https://example.com/br' }],
          variants: [{ url: 'https://example.com/b', weight: 30 }],
          watch: 'on',
          watchFallback: 'archive',
          title: 'A title',
          note: 'A note.',
          tags: ['a tag'],
          favorite: true,
          archived: false,
        },
        { enabled: false },
      ],
    },
  },
  'DELETE /api/links/:code': NONE,
  'GET /api/qr/:code': NONE,
  'GET /api/click-preview': NONE,
  'GET /api/qr-presets': NONE,
  'POST /api/qr-presets': {
    body: { schema: qrPresetInput, examples: [{ name: 'Preset', style: PLAIN_QR, logo: '' }] },
  },
  'PATCH /api/qr-presets/:id': {
    body: {
      schema: qrPresetChange,
      examples: [{ name: 'Preset', style: PLAIN_QR, logo: '', isDefault: true }],
    },
  },
  'DELETE /api/qr-presets/:id': NONE,
  'GET /api/subscription': NONE,
  'POST /api/subscription': { body: { schema: z.object({}), examples: [{}] } },
  'POST /api/subscription/downgrade': {
    body: { schema: downgradeRequest, examples: [{ when: 'now' }] },
  },
  'DELETE /api/subscription/downgrade': NONE,
  'GET /api/me': NONE,
  'GET /api/sessions': NONE,
  'DELETE /api/sessions': NONE,
  'DELETE /api/sessions/:id': NONE,
  'GET /api/keys': NONE,
  'POST /api/keys': {
    body: {
      schema: apiKeyRequest,
      examples: [
        {
          name: 'A key',
          scopes: ['links:read'],
          expiresAt: '2099-01-01T00:00:00Z',
          codePrefix: 'a-',
        },
      ],
    },
  },
  'POST /api/keys/:id/rotate': {
    body: { schema: rotateRequest, examples: [{ overlapHours: 24 }] },
  },
  'DELETE /api/keys/:id': NONE,
  'GET /api/oauth/authorize': { query: { schema: authorizeQuery, example: APP_REQUEST } },
  'POST /api/oauth/authorize': {
    body: {
      schema: grantRequest,
      examples: [{ ...APP_REQUEST, scopes: ['links:read'], days: 90 }],
    },
  },
  'POST /api/domains': {
    body: {
      schema: newDomainRequest,
      examples: [{ name: 'go.input-acme.com', confirmed: true }],
    },
  },
  'POST /api/domains/:name/check': NONE,
  'DELETE /api/domains/:name': {
    body: { schema: domainRemoval, examples: [{ name: 'go.input-acme.com' }] },
  },
  'POST /api/domains/:name/transfer': {
    body: { schema: domainTransfer, examples: [{ email: 'nobody@example.com' }] },
  },
  'POST /api/domains/:name/transfer/accept': NONE,
  'DELETE /api/domains/:name/transfer': NONE,
  'GET /api/webhooks': NONE,
  'POST /api/webhooks': {
    body: {
      schema: webhookRequest,
      examples: [
        {
          url: 'https://example.com/hook',
          description: 'A webhook',
          events: ['link.created', 'link.clicked'],
        },
      ],
    },
  },
  'PATCH /api/webhooks/:id': {
    body: {
      schema: webhookChange,
      examples: [
        {
          url: 'https://example.com/',
          description: 'A webhook',
          events: ['link.deleted'],
          enabled: true,
        },
      ],
    },
  },
  'DELETE /api/webhooks/:id': NONE,
  'POST /api/webhooks/:id/rotate': {
    body: { schema: webhookRotateRequest, examples: [{ overlapHours: 24 }] },
  },
  'POST /api/webhooks/:id/test': NONE,
  'GET /api/webhooks/:id/deliveries': {
    query: { schema: deliveriesQuery, example: { cursor: '1' } },
  },
  'POST /api/webhooks/:id/deliveries/:delivery/replay': NONE,
  'GET /api/account/export': NONE,
  'GET /api/account/links.csv': NONE,
  'GET /api/account/links': {
    query: {
      schema: accountLinksQuery,
      example: { ...LINK_FILTERS, format: 'nginx', listed: '1' },
    },
  },
  'POST /api/account/links': {
    body: { schema: someLinksFileRequest, examples: [{ format: 'json', ids: [1] }] },
  },
  'DELETE /api/account': {
    body: {
      schema: deleteAccountRequest,
      examples: [{ confirm: 'delete my account', links: 'keep', currentPassword: 'correct horse' }],
    },
  },
  'GET /api/domains': NONE,
  'GET /api/domains/:name': NONE,
  'PATCH /api/domains/:name': {
    body: {
      schema: domainChange,
      examples: [{ rootUrl: 'https://example.com/', notFoundUrl: '' }],
    },
  },
  'PUT /api/domains/default': { body: { schema: defaultDomainRequest, examples: [{ name: '' }] } },
  'GET /api/weekly-mail': NONE,
  'PATCH /api/weekly-mail': { body: { schema: weeklyMailChange, examples: [{ enabled: true }] } },
  'GET /api/weekly-mail/unsubscribe': {
    query: { schema: unsubscribeQuery, example: { token: 'a.b' } },
  },
  'POST /api/weekly-mail/unsubscribe': {
    query: { schema: unsubscribeQuery, example: { token: 'a.b' } },
  },
  'GET /api/analytics': {
    query: { schema: overviewQuery, example: { ...OWN_PERIOD, tag: 'a tag', host: 'example.com' } },
  },
  'GET /api/overview/clicks': { query: { schema: liveClicksQuery, example: { domain: '' } } },
  'GET /api/overview/times': {
    query: { schema: overviewTimesQuery, example: { range: '7d', tz: 'Asia/Kolkata' } },
  },
  'GET /api/overview/export': {
    query: { schema: overviewExportQuery, example: { range: '7d', format: 'csv' } },
  },
  'GET /api/overview/compare': {
    query: { schema: compareQuery, example: { range: '7d', links: 'one,two' } },
  },
  'GET /api/analytics/:code': {
    query: {
      schema: analyticsQuery,
      example: { ...OWN_PERIOD, filter: 'country:IN', and: 'device:Mobile' },
    },
  },
  'GET /api/analytics/:code/times': {
    query: { schema: timesQuery, example: { range: '7d', tz: 'Asia/Kolkata' } },
  },
  'GET /api/analytics/:code/export': {
    query: { schema: analyticsExportQuery, example: { range: '7d', format: 'json' } },
  },
  'GET /api/blogs': { query: { schema: postListQuery, example: { before: '1' } } },
  'GET /api/blog/:slug': NONE,
  'GET /api/blogs-admin': { query: { schema: postListQuery, example: { before: '1' } } },
  'POST /api/blogs-admin': { body: { schema: postInput, examples: [post] } },
  'PATCH /api/blogs-admin/:id': {
    body: { schema: postChange, examples: [post, { title: 'A title' }] },
  },
  'DELETE /api/blogs-admin/:id': NONE,
  ...ADMIN_INPUTS,
  'POST /api/reports': {
    body: {
      schema: reportRequest,
      examples: [
        { code: 'nobody', reason: 'spam', details: 'Some text.', turnstileToken: 'token' },
      ],
    },
  },
};
