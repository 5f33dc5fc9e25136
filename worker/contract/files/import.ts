import * as z from 'zod/mini';
import { domainName } from '#contract/domains.ts';
import { newLinkMembers } from '#contract/links/link-settings.ts';
import { atMost, importId, oneTo, rfc3339 } from '#contract/common-schemas.ts';
import { COLLISION_CHOICES, IMPORT_FORMATS, type ImportFormat } from './import-formats.ts';
import { SOURCE_NAMES } from './import-sources.ts';
import { pastStatus } from '#contract/links/past-status.ts';
import {
  EARLIER_CODES_MAX,
  IMPORT_CHECK_MAX,
  IMPORT_MAX,
  IMPORTED_HISTORY_MAX,
  TAGS_PER_LINK_MAX,
  TARGET_MAX,
} from '#contract/limits.ts';
import { tagName } from '#contract/links/tags.ts';
import type { UsedQuota } from '#contract/site.ts';

/**
 * Import of links from files. Texts that are too long for a link are cut, because the user cannot
 * always change them at the source.
 */

export const importFormat = z.literal(
  Object.keys(IMPORT_FORMATS).filter((name): name is ImportFormat => name in IMPORT_FORMATS),
);

/** Invalid names of tags are left out, and so are names after the first ten. */
const tags = z.array(z.string()).check(
  z.overwrite((names: string[]) => {
    const valid = names.flatMap((name) => tagName.safeParse(name.replaceAll(',', ' ')).data ?? []);
    return [...new Map(valid.toReversed().map((name) => [name.toLowerCase(), name])).values()]
      .toReversed()
      .slice(0, TAGS_PER_LINK_MAX);
  }),
);

/** Past passwords mean nothing, so a state has none. */
const { password: _password, ...pastSettings } = newLinkMembers('import');

/** A state that a change of the link replaced at `until`. */
export const importedState = z.object({
  until: rfc3339,
  url: z.string().check(z.maxLength(TARGET_MAX)),
  code: z.string(),
  status: pastStatus,
  tags: z.optional(tags),
  ...pastSettings,
});

export const importRow = z.object({
  /** The row's position in the file, from 1 on. */
  line: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  url: z.string(),
  code: z.optional(z.string()),
  /**
   * The host of the short URL. On a domain where the account can create links, the link keeps it.
   */
  domain: z.optional(domainName),
  /** The id that the owner's own system has for the link. Left out if another link has it. */
  externalId: z.optional(z.string().check(z.maxLength(255))),
  tags: z.optional(tags),
  createdAt: z.optional(rfc3339),
  /** An end in the past is allowed: the link is then imported as expired. */
  ...newLinkMembers('import'),
  clicks: z.optional(z.int().check(z.minimum(0), z.maximum(1e12))),
  /** True if the link does not redirect at present. */
  disabled: z.optional(z.boolean()),
  /** Other codes that lead to the link, the latest first. One that is not free is left out. */
  earlierCodes: z.optional(z.array(z.string()).check(z.maxLength(EARLIER_CODES_MAX))),
  /** The states before the link's last changes, in any order. */
  history: z.optional(z.array(importedState).check(z.maxLength(IMPORTED_HISTORY_MAX))),
  sourceId: z.optional(z.string()),
  /**
   * For rows without code and id: the number of this row among the file's rows with the same link.
   */
  nth: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 1),
});
export type ImportRequestRow = z.input<typeof importRow>;

const rows = (max: number) =>
  z.array(importRow).check(
    ...oneTo('rows', max, 'row'),
    z.refine(
      (list) => new Set(list.map(({ line }) => line)).size === list.length,
      'Each row needs a different line number.',
    ),
  );

/** POST /api/links/import/check says what an import would do, and changes nothing. */
export const importCheckRequest = z.object({ format: importFormat, rows: rows(IMPORT_CHECK_MAX) });
export type ImportCheckRequest = z.input<typeof importCheckRequest>;

/**
 * Status 200. `lines` has the order of the request. `new`: a link can be created, with the row's
 * code or with a generated one (null). `lostCodes` are earlier codes that it cannot have, and
 * `losesExternalId` is true if another link has its external id. `exists`: the account already has
 * a link for the row; its code is null if an earlier row of the request creates it. `taken`:
 * another link has the code, or no link can have it; `suffixed` is a similar free code, if there is
 * one. `room` is how many links the quota has left, and `allowance` how many more links with a code
 * of their own can be imported.
 */
export type ImportLosses = { lostCodes?: string[]; losesExternalId?: true };
export type ImportCheckLine =
  | ({ line: number; verdict: 'new'; code: string | null } & ImportLosses)
  | { line: number; verdict: 'exists'; code: string | null }
  | ({
      line: number;
      verdict: 'taken';
      code: string;
      suffixed: string | null;
      error: string;
    } & ImportLosses)
  | { line: number; verdict: 'rejected'; error: string };
export type ImportCheckResponse = {
  lines: ImportCheckLine[];
  room: number;
  allowance: number;
};

/**
 * POST /api/links/import creates links. `id` names the import in all of its requests: a row that
 * this import has already imported gets the same answer and creates nothing.
 */
export const importRequest = z.object({
  format: importFormat,
  id: importId,
  collisions: z.enum(COLLISION_CHOICES),
  rows: rows(IMPORT_MAX),
});
export type ImportRequest = z.input<typeof importRequest>;

/**
 * Status 200. `lines` has the order of the request. A row that is `over_quota` can be imported when
 * the quota has room.
 */
export type ImportLine =
  | { line: number; verdict: 'created' | 'exists'; code: string }
  | { line: number; verdict: 'skipped' | 'rejected' | 'over_quota'; error: string };
export type ImportResponse = {
  lines: ImportLine[];
  usage: UsedQuota | null;
};

/**
 * POST /api/links/import/source reads one page of links from another service. Returns a
 * `SourcePage`. The key is used for this request and stored nowhere.
 */
export const importSourceRequest = z.object({
  source: z.literal(SOURCE_NAMES),
  address: z
    .string()
    .check(z.minLength(1, 'Enter the address of the server.'), atMost('The address', 500)),
  key: z
    .string()
    .check(z.regex(/^[!-~]{1,200}$/, 'key must be the API key of your account there.')),
  cursor: z.int().check(z.minimum(0), z.maximum(1_000_000)),
});
export type ImportSourceRequest = z.infer<typeof importSourceRequest>;
