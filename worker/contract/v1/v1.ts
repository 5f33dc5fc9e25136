import * as z from 'zod/mini';
import { SCOPES } from '#contract/api/scopes.ts';
import {
  changeMembers,
  changesLink,
  newLinkMembers,
  shownMembers,
} from '#contract/links/link-settings.ts';
import { linkCard } from '#contract/links/link-card.ts';
import { CODE_PATTERN, SEARCH_MAX, TARGET_MAX, V1_BULK_MAX } from '#contract/limits.ts';
import { domainName } from '#contract/domains.ts';
import {
  atMost,
  hostFilter,
  importId,
  oneTo,
  rfc3339,
  storable,
  tagFilter,
  wholeNumber,
} from '#contract/common-schemas.ts';
import { tagNames } from '#contract/links/tags.ts';
import { v1Code, problemPart } from './v1-problem.ts';
import { HEALTH_REASONS, HEALTH_STATES } from '#contract/links/watch.ts';

/**
 * The public API below /api/v1. The routes validate with these schemas and the OpenAPI document is
 * generated from them. Names are camelCase, times RFC 3339.
 */

/** The path of the built OpenAPI document. */
export const OPENAPI_FILE = '/openapi.json';
/** The path of the built list of tools of the MCP server. */
export const MCP_TOOLS_FILE = '/mcp-tools.json';

export const V1_PAGE_MAX = 100;
export const EXTERNAL_ID_MAX = 255;
/** In characters. A cursor of the order `code` contains a code, which may be imported. */
const CURSOR_MAX = 400;

/** For the document: the link policy and the codes have their own errors. */
const CODE_LIMITS = { pattern: CODE_PATTERN.source };

const url = z.string().register(z.globalRegistry, { maxLength: TARGET_MAX });
const code = z
  .string()
  .check(z.minLength(1, 'code must not be empty.'))
  .register(z.globalRegistry, CODE_LIMITS);
const newCode = z.string().register(z.globalRegistry, CODE_LIMITS);
const externalId = z
  .string()
  .check(
    z.minLength(1, 'externalId must not be empty.'),
    atMost('externalId', EXTERNAL_ID_MAX),
    storable('externalId'),
  );

const externalIdMember = { externalId: z.optional(z.nullable(externalId)) };
const upsertMembers = {
  url,
  code: z.optional(code),
  domain: z.optional(domainName),
  ...newLinkMembers('v1'),
  enabled: z.optional(z.boolean()),
  tags: z.optional(tagNames),
};

/** POST /api/v1/links, and each item of POST /api/v1/links/bulk. */
export const linkInput = z.strictObject(
  { ...upsertMembers, ...externalIdMember },
  {
    error: (issue) => (issue.code === 'invalid_type' ? 'A link must be a JSON object.' : undefined),
  },
);
export type LinkInput = z.infer<typeof linkInput>;

/**
 * PUT /api/v1/links/by-external-id/:externalId. Members that are absent keep their value when the
 * link exists.
 */
export const linkUpsert = z.strictObject(upsertMembers);

/** PATCH /api/v1/links/:id. Members that are absent keep their value. */
export const linkPatch = z
  .strictObject({
    url: z.optional(url),
    code: z.optional(newCode),
    domain: z.optional(domainName),
    ...changeMembers(),
    ...externalIdMember,
    enabled: z.optional(z.boolean()),
    tags: z.optional(tagNames),
  })
  .check(changesLink('url, code, domain, externalId, enabled'));

const bulkOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.strictObject({
    links: z.array(item).check(...oneTo('links', V1_BULK_MAX)),
  });
/** POST /api/v1/links/bulk. The route parses each item by itself, so that one fails alone. */
export const bulkInput = bulkOf(linkInput);
export const bulkItems = bulkOf(z.unknown());

/** For routes without query parameters. */
export const noParameters = z.strictObject({});

export const LINK_STATUSES = ['active', 'disabled', 'expired'] as const;
export const linkStatus = z.enum(LINK_STATUSES);
/** `status` has no value for a link before its start, because clients know its three. */
export const LINK_STATES = [...LINK_STATUSES, 'scheduled'] as const;
export const currentState = z.enum(LINK_STATES);

export const healthState = z.enum(HEALTH_STATES);

/** What checks have found about the destination of a watched link. */
export const linkHealth = z.object({
  state: healthState,
  reason: z.enum(HEALTH_REASONS),
  status: z.nullable(z.int()),
  detail: z.string(),
  checkedAt: z.iso.datetime(),
  since: z.iso.datetime(),
  replacedUrl: z.nullable(z.url()),
});

/** A link in every response to a key with `links:read`. */
export const link = z.object({
  id: z.string(),
  code: z.string(),
  /**
   * Codes that the link had before it was renamed, the last one first. They keep redirecting to it.
   */
  earlierCodes: z.array(z.string()),
  /** The host of its domain; '' for the deployment's own short host. */
  domain: z.string(),
  shortUrl: z.url(),
  url: z.url(),
  externalId: z.nullable(z.string()),
  status: linkStatus,
  state: currentState,
  /** Why the link is disabled, as a sentence. */
  statusReason: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Clicks of people since the link was created. */
  clicks: z.int(),
  /** Clicks of the limit that are used. */
  clickLimitUsed: z.int(),
  /**
   * Clicks that another service counted before the link was imported from there. `clicks` does not
   * include them.
   */
  importedClicks: z.nullable(z.int()),
  /** Archived links redirect like others, and are listed with `archived=true` only. */
  ...shownMembers(),
  card: z.nullable(linkCard),
  health: z.nullable(linkHealth),
  tags: z.array(z.string()),
});
export type V1Link = z.infer<typeof link>;

/**
 * A link in the answer to a request that writes: the whole link for keys with `links:read`, three
 * members for others.
 */
export const writtenLink = z.extend(z.partial(link), {
  id: link.shape.id,
  code: link.shape.code,
  shortUrl: link.shape.shortUrl,
});
export type V1WrittenLink = z.infer<typeof writtenLink>;

/**
 * In accounts with more than 2,000 links, orders and filters use clicks and last clicks that are up
 * to an hour old.
 */
export const LINK_SORTS = [
  '-createdAt',
  'createdAt',
  '-clicks',
  'clicks',
  '-lastClickAt',
  'lastClickAt',
  'code',
  '-code',
] as const;

/** The filters of links that a query and JSON write alike. */
export const v1LinkFilters = {
  status: z.optional(linkStatus),
  createdAfter: z.optional(rfc3339),
  createdBefore: z.optional(rfc3339),
  tag: tagFilter,
  health: z.optional(healthState),
  host: hostFilter,
  domain: z.optional(domainName),
};

const filterParameters = {
  q: z._default(z.string().check(atMost('q', SEARCH_MAX)), ''),
  ...v1LinkFilters,
  favorite: z.optional(z.enum(['true', 'false'])),
  archived: z._default(z.enum(['true', 'false']), 'false'),
  minClicks: z.optional(wholeNumber('minClicks', 0)),
  maxClicks: z.optional(wholeNumber('maxClicks', 0)),
  /** Links that nobody has clicked since, also those without any click. */
  lastClickBefore: z.optional(rfc3339),
  /** The `id` of an import: the links that it created. */
  import: z.optional(importId),
};

export const linksQuery = z.strictObject({
  limit: z._default(wholeNumber('limit', 1, V1_PAGE_MAX), 50),
  cursor: z.optional(
    z
      .string()
      .check(z.maxLength(CURSOR_MAX, 'cursor must be a cursor of the page before or after.')),
  ),
  sort: z._default(z.enum(LINK_SORTS), '-createdAt'),
  ...filterParameters,
});
/** GET /api/v1/links/count */
export const countQuery = z.strictObject(filterParameters);

/** The sides of a QR code as PNG, in px. The smallest has room for the longest short URL. */
const QR_SIZE_MIN = 128;
const QR_SIZE_MAX = 2048;
export const qrQuery = z.strictObject({
  size: z._default(wholeNumber('size', QR_SIZE_MIN, QR_SIZE_MAX), 1024),
});

export const linkList = z.object({
  data: z.array(link),
  /** For `cursor`: the pages after and before this one; null where there is none. */
  nextCursor: z.nullable(z.string()),
  previousCursor: z.nullable(z.string()),
});
export type V1LinkList = z.infer<typeof linkList>;

export const linkCount = z.object({ count: z.int() });
export type V1Count = z.infer<typeof linkCount>;

export const createdItem = z.object({ ok: z.literal(true), link: writtenLink });
export const rejectedItem = z.object({
  ok: z.literal(false),
  code: v1Code,
  detail: z.string(),
  errors: z.optional(z.array(problemPart)),
});
/** `results` has the order of the request. */
export const bulkResult = z.object({
  created: z.int(),
  failed: z.int(),
  results: z.array(z.union([createdItem, rejectedItem])),
});
export type BulkResult = z.infer<typeof bulkResult>;

export const planType = z.enum(['free', 'premium']);
export const scope = z.enum(SCOPES);

export const me = z.object({
  plan: planType,
  quota: z.object({
    limit: z.int(),
    used: z.int(),
    remaining: z.int(),
    resetsAt: z.iso.datetime(),
  }),
  limits: z.object({
    requestsPerMinute: z.int(),
    linksPerBulkRequest: z.int(),
    linksPerPage: z.int(),
  }),
  key: z.object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(scope),
    codePrefix: z.nullable(z.string()),
    expiresAt: z.nullable(z.iso.datetime()),
  }),
});
export type V1Me = z.infer<typeof me>;
