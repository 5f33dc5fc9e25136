import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import {
  bulkInput,
  bulkResult,
  countQuery,
  link,
  linkCount,
  linkInput,
  linkList,
  linkPatch,
  linksQuery,
  linkUpsert,
  me,
  qrQuery,
  writtenLink,
} from '#contract/v1/v1.ts';
import { actionInput, actionResult } from '#contract/v1/v1-actions.ts';
import type { V1Code } from '#contract/v1/v1-problem.ts';
import {
  accountAnalytics,
  accountAnalyticsQuery,
  linkAnalytics,
  linkAnalyticsQuery,
} from '#contract/v1/v1-analytics.ts';
import { linkHistory } from '#contract/v1/v1-history.ts';
import { cardOperations } from './card-operations.ts';
import { domainOperations } from './domain-operations.ts';
import { clickOperations } from './click-operations.ts';
import { COUNT_TEXTS, LIST_TEXTS, QR_TEXTS } from './shapes/link-shapes.ts';
import { ACCOUNT_REPORT_TEXTS, LINK_REPORT_TEXTS } from './shapes/report-shapes.ts';
import { BODY, type Operation } from './operation.ts';
import { importOperations } from './import-operations.ts';
import { tagOperations } from './tag-operations.ts';
import { webhookOperations } from './webhook-operations.ts';

const TARGET: readonly V1Code[] = [...BODY, 'invalid_target'];
const CODE: readonly V1Code[] = ['invalid_alias', 'reserved_alias', 'alias_taken'];
const NEW_LINK: readonly V1Code[] = [...TARGET, ...CODE, 'external_id_taken', 'quota_reached'];
/** Ends the description of an answer that contains a link which the request has written. */
const WITHOUT_READ = '; for keys without `links:read` only its `id`, `code` and `shortUrl`.';
const REPEATABLE: readonly V1Code[] = [
  'invalid_header',
  'request_in_progress',
  'idempotency_key_reused',
];

/** By route, as in access.ts. The examples run in this order and are about one link. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api/v1/me': {
    id: 'getMe',
    summary: 'Plan, quota and limits',
    answer: { status: 200, content: me, description: 'The key, and what its owner may do.' },
    errors: [],
  },
  'POST /api/v1/links': {
    id: 'createLink',
    summary: 'Create a link',
    description:
      '`note`, `tags` and `externalId` need `links:write`, and `tags` a key without a code prefix.',
    body: {
      schema: linkInput,
      example: {
        url: 'https://example.com/summer-sale',
        code: 'summer-sale',
        expiresAt: '2099-12-31T23:59:59Z',
        externalId: 'campaign-42',
        tags: ['sale'],
      },
    },
    answer: { status: 201, content: writtenLink, description: `The new link${WITHOUT_READ}` },
    errors: [...NEW_LINK, 'conflict', ...REPEATABLE],
  },
  'POST /api/v1/links/bulk': {
    id: 'createLinks',
    summary: 'Create up to 1,000 links',
    description:
      'Part of Premium. Each item is created or rejected independently, also one that is not valid; `results` has the order of `links`. A repetition with the same Idempotency-Key tries the rejected items again.',
    body: {
      schema: bulkInput,
      example: {
        links: [
          { url: 'https://example.com/a' },
          { url: 'https://example.com/b', externalId: 'campaign-43' },
        ],
      },
    },
    answer: {
      status: 200,
      content: bulkResult,
      description: `The verdict on every item, with the new link${WITHOUT_READ}`,
    },
    errors: [...BODY, 'payment_required', ...REPEATABLE],
  },
  'POST /api/v1/links/actions': {
    id: 'changeLinks',
    summary: 'Change up to 1,000 links',
    description:
      'Applies one action to the links with these `ids`, or to those that `filter` selects. A filter needs two requests: one with `dryRun: true`, and one with its `matched` as `expectedCount`. Each link is changed or rejected independently. Tags need a key without a code prefix.',
    body: {
      schema: actionInput,
      example: { action: 'archive', filter: { tag: 'old' }, dryRun: true },
    },
    answer: {
      status: 200,
      content: actionResult,
      description: 'How many links were changed, and those that were not, with the reason.',
    },
    errors: [...BODY, 'conflict'],
  },
  'GET /api/v1/links/count': {
    id: 'countLinks',
    summary: 'Count links',
    query: {
      schema: countQuery,
      members: COUNT_TEXTS,
      example: { status: 'active', q: 'example' },
    },
    answer: { status: 200, content: linkCount, description: 'How many links the filters accept.' },
    errors: [],
  },
  'GET /api/v1/links': {
    id: 'listLinks',
    summary: 'List links',
    query: {
      schema: linksQuery,
      members: LIST_TEXTS,
      example: {
        limit: '10',
        q: 'example',
        status: 'active',
        createdAfter: '2020-01-01T00:00:00Z',
        createdBefore: '2100-01-01T00:00:00Z',
        sort: '-clicks',
      },
    },
    answer: { status: 200, content: linkList, description: 'One page.' },
    errors: [],
  },
  'GET /api/v1/links/by-code/:code': {
    id: 'getLinkByCode',
    summary: 'Read a link by its code',
    answer: { status: 200, content: link, description: 'The link.' },
    isConditional: true,
    errors: ['not_found'],
  },
  'GET /api/v1/links/by-external-id/:externalId': {
    id: 'getLinkByExternalId',
    summary: 'Read a link by its externalId',
    answer: { status: 200, content: link, description: 'The link.' },
    isConditional: true,
    errors: ['not_found'],
  },
  'PUT /api/v1/links/by-external-id/:externalId': {
    id: 'upsertLink',
    summary: 'Create a link, or change the one with this externalId',
    description:
      'Repeating it changes nothing. Members that are absent keep their value when the link exists; its code cannot change.',
    body: { schema: linkUpsert, example: { url: 'https://example.com/summer-sale-2' } },
    answer: {
      status: 200,
      content: writtenLink,
      description: `The link as it is now${WITHOUT_READ}`,
    },
    alsoStatus: 201,
    errors: [...NEW_LINK, 'not_found', 'conflict', 'precondition_failed'],
  },
  'GET /api/v1/links/:id': {
    id: 'getLink',
    summary: 'Read a link',
    answer: { status: 200, content: link, description: 'The link.' },
    isConditional: true,
    errors: ['not_found'],
  },
  'PATCH /api/v1/links/:id': {
    id: 'updateLink',
    summary: 'Change a link',
    body: {
      schema: linkPatch,
      example: {
        url: 'https://example.com/winter-sale',
        expiresAt: null,
        externalId: 'campaign-44',
        enabled: true,
      },
    },
    answer: {
      status: 200,
      content: writtenLink,
      description: `The link as it is now${WITHOUT_READ}`,
    },
    errors: [
      ...CODE,
      ...TARGET,
      'not_found',
      'external_id_taken',
      'conflict',
      'precondition_failed',
    ],
  },
  'GET /api/v1/links/:id/qr.svg': {
    id: 'getQrCode',
    summary: 'QR code of the short URL, as SVG',
    answer: { status: 200, content: 'image/svg+xml', description: 'An SVG image, black on white.' },
    errors: ['not_found'],
  },
  'GET /api/v1/links/:id/qr.png': {
    id: 'getQrCodePng',
    summary: 'QR code of the short URL, as PNG',
    query: { schema: qrQuery, members: QR_TEXTS, example: { size: '512' } },
    answer: {
      status: 200,
      content: 'image/png',
      description: 'A square image of `size` px, black on white.',
    },
    errors: ['not_found'],
  },
  ...cardOperations,
  'GET /api/v1/links/:id/history': {
    id: 'getLinkHistory',
    summary: 'Changes of a link',
    description: 'Each with the state before and after it. `PATCH` restores an earlier one.',
    answer: { status: 200, content: linkHistory, description: 'The changes.' },
    errors: ['not_found'],
  },
  'GET /api/v1/links/:id/analytics': {
    id: 'getLinkAnalytics',
    summary: 'Clicks on a link',
    query: {
      schema: linkAnalyticsQuery,
      members: LINK_REPORT_TEXTS,
      example: { range: '7d', interval: 'day', dimensions: 'country,device' },
    },
    answer: {
      status: 200,
      content: linkAnalytics,
      description: 'Clicks of people; bots and prefetches are counted apart.',
    },
    errors: ['payment_required', 'not_found'],
  },
  'GET /api/v1/analytics': {
    id: 'getAnalytics',
    summary: 'Clicks on all links',
    query: {
      schema: accountAnalyticsQuery,
      members: ACCOUNT_REPORT_TEXTS,
      example: { range: '90d' },
    },
    answer: {
      status: 200,
      content: accountAnalytics,
      description: 'Sums over all links that are not deleted.',
    },
    errors: [],
  },
  'DELETE /api/v1/links/:id': {
    id: 'deleteLink',
    summary: 'Delete a link',
    description: `Its owner can restore it on the website for ${KEEP_TRASH_DAYS} days. The code is never given to another account.`,
    answer: { status: 204, content: null, description: 'The link is deleted.' },
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  ...importOperations,
  ...webhookOperations,
  ...tagOperations,
  ...domainOperations,
  ...clickOperations,
};
