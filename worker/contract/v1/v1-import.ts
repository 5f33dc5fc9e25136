import * as z from 'zod/mini';
import { linksFileQuery } from '#contract/files/links-file.ts';
import { importId, oneTo } from '#contract/common-schemas.ts';
import { importedState, importFormat, importRow } from '#contract/files/import.ts';
import { COLLISION_CHOICES } from '#contract/files/import-formats.ts';
import { IMPORT_CHECK_MAX, IMPORT_MAX, IMPORTED_HISTORY_MAX } from '#contract/limits.ts';
import { problemPart } from './v1-problem.ts';

/** Import and export of the public API (v1.ts). */

const { line: _line, history: _history, nth, ...members } = importRow.shape;
export const stateV1 = z.strictObject(importedState.shape);

/** A link of another service. Its texts are cut where they are too long. */
export const importRowV1 = z.strictObject({
  ...members,
  // Members with a default would be required in generated clients.
  nth: z.optional(nth.def.innerType),
  history: z.optional(z.array(stateV1).check(z.maxLength(IMPORTED_HISTORY_MAX))),
});

/** `offset` is the number of rows of the file before these. */
const importOf = <Row extends z.ZodMiniType>(row: Row, max: number) => ({
  format: z.optional(importFormat),
  offset: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000 - max))),
  rows: z.array(row).check(...oneTo('rows', max, 'row')),
});

const run = { id: importId, collisions: z.optional(z.enum(COLLISION_CHOICES)) };

/** POST /api/v1/imports/check. The route parses each row independently, so that one fails alone. */
export const importCheckInput = z.strictObject(importOf(importRowV1, IMPORT_CHECK_MAX));
export const importCheckItems = z.strictObject(importOf(z.unknown(), IMPORT_CHECK_MAX));
/** POST /api/v1/imports */
export const importInput = z.strictObject({ ...run, ...importOf(importRowV1, IMPORT_MAX) });
export const importItems = z.strictObject({ ...run, ...importOf(z.unknown(), IMPORT_MAX) });

/** The members of a row that its link can lose. */
export const IMPORT_LOSSES = [
  'title',
  'note',
  'tags',
  'createdAt',
  'externalId',
  'earlierCodes',
] as const;
export type ImportLoss = (typeof IMPORT_LOSSES)[number];

/** Why a row is no link, or has another code. */
const reasons = { detail: z.optional(z.string()), errors: z.optional(z.array(problemPart)) };

export const importCheckV1 = z.object({
  verdict: z.enum(['new', 'exists', 'taken', 'rejected']),
  code: z.nullable(z.string()),
  suffixedCode: z.nullable(z.string()),
  losses: z.array(z.enum(IMPORT_LOSSES)),
  ...reasons,
});
export type ImportCheckV1 = z.infer<typeof importCheckV1>;

/** `results` has the order of `rows`. */
export const importCheckResult = z.object({
  quotaRemaining: z.int(),
  importAllowance: z.int(),
  results: z.array(importCheckV1),
});
export type ImportCheckResult = z.infer<typeof importCheckResult>;

export const importRowResult = z.object({
  verdict: z.enum(['created', 'exists', 'skipped', 'over_quota', 'rejected']),
  code: z.nullable(z.string()),
  shortUrl: z.nullable(z.url()),
  ...reasons,
});
export type ImportRowResult = z.infer<typeof importRowResult>;

/** `results` has the order of `rows`; `created` counts those of this import. */
export const importResult = z.object({ created: z.int(), results: z.array(importRowResult) });
export type ImportResult = z.infer<typeof importResult>;

/** GET /api/v1/export */
export const exportQuery = z.strictObject(linksFileQuery.shape);
