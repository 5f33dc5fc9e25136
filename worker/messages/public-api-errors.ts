import { plural } from '#contract/language.ts';
import { PLANS } from '#contract/site.ts';
import type { ErrorEntry } from './error-entry.ts';
import { linkMessage } from './links.ts';
import { KEY_MESSAGES } from './public-api.ts';

/** The errors that only routes of the public API cause. */
export const PUBLIC_API_ERRORS = {
  not_a_cursor: [
    'invalid_query',
    'cursor must be the nextCursor or previousCursor of a page with the same sort.',
    { field: 'cursor' },
  ],
  scope_needed: [
    'insufficient_scope',
    ({ detail }) => `This needs a key with the scope ${detail}.`,
  ],
  key_requests_used_up: [
    'rate_limited',
    ({ plan, amount }) =>
      `This key may send ${PLANS[plan].apiRequests} requests a minute. Try again in ${amount} s.`,
  ],
  advanced_analytics: [
    'payment_required',
    ({ detail }) =>
      `This value of ${detail} is part of advanced analytics, which the plan of this account does not include.`,
  ],
  period_backwards: [
    'invalid_query',
    'end must not be before start, and start not after today.',
    { field: 'end' },
  ],
  period_not_kept: [
    'invalid_query',
    ({ detail }) => `The period has no day from ${detail} until today, and others are not kept.`,
    { field: 'end' },
  ],
  too_many_clicked_links: [
    'invalid_query',
    'More than 10,000 links of this account may have clicks in this period. Name up to 100 of them with linkIds.',
    { field: 'linkIds' },
  ],
  bad_idempotency_key: [
    'invalid_header',
    'Idempotency-Key must have 1 to 255 visible ASCII characters.',
    { field: 'Idempotency-Key' },
  ],
  request_runs: [
    'request_in_progress',
    'A request with this Idempotency-Key is still running.',
    { retryAfter: 1 },
  ],
  idempotency_key_reused: [
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Use a new key.',
  ],
  external_id_taken: ['external_id_taken', linkMessage({ reason: 'external_id_taken' })],
  external_id_renames: [
    'conflict',
    'The link with this externalId has another code. To rename it, use PATCH.',
    { field: 'code' },
  ],
  count_differs: [
    'conflict',
    ({ amount }) =>
      `The filter matches ${plural(amount, 'link')} now. Check that this is what you want, and send that number as expectedCount.`,
    { field: 'expectedCount' },
  ],
  matches_too_many: [
    'invalid_body',
    ({ amount, detail }) =>
      `The filter matches ${plural(amount, 'link')}, and one request changes at most ${detail}. Narrow it, for example with createdBefore.`,
    { field: 'filter' },
  ],
  domains_with_prefix: [
    'forbidden',
    'A key with a code prefix has no domains, because they belong to the whole account.',
  ],
  tags_with_prefix: ['forbidden', KEY_MESSAGES.tags_with_prefix],
  account_with_prefix: [
    'forbidden',
    'A key with a code prefix can neither import nor export, because both are about the whole account.',
  ],
  link_changed: ['conflict', 'This link changed at the same time. Try again.'],
  unknown_mcp_version: [
    'invalid_header',
    ({ detail }) => `Mcp-Protocol-Version must be one of ${detail}.`,
    { field: 'Mcp-Protocol-Version' },
  ],
  no_api_description: [
    'unavailable',
    'The description of the API is not available.',
    { retryAfter: 60 },
  ],
  no_tools: ['unavailable', 'The list of tools is not available.', { retryAfter: 60 }],
} as const satisfies Record<string, ErrorEntry>;
