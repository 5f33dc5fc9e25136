import * as z from 'zod/mini';
import { shownMembers } from '#contract/links/link-settings.ts';
import { pastStatus } from '#contract/links/past-status.ts';

/** GET /api/v1/links/:id/history */

/** A link before or after a change. Tags that have been deleted since are left out. */
export const linkState = z.object({
  code: z.string(),
  /** The host of its domain; '' for the deployment's own short host. */
  domain: z.string(),
  url: z.url(),
  status: pastStatus,
  ...shownMembers({ hasHistory: true }),
  cardUpdatedAt: z.nullable(z.iso.datetime()),
  tags: z.array(z.string()),
});

export const linkChangeRecord = z.object({
  at: z.iso.datetime(),
  /** Null for the website, and always null for a key with a code prefix. */
  keyName: z.nullable(z.string()),
  /** True for a change that followed a check of the destination. */
  byWatcher: z.boolean(),
  /** True if another password replaced one, which `before` and `after` do not tell apart. */
  passwordReplaced: z.boolean(),
  before: linkState,
  after: linkState,
});

/** The latest first. */
export const linkHistory = z.object({ data: z.array(linkChangeRecord) });
export type V1History = z.infer<typeof linkHistory>;
