import { LINK_KEY_PATTERN } from '#contract/codes/domain-key.ts';
import * as z from 'zod/mini';
import { oneTo } from '#contract/common-schemas.ts';
import { ACTION_MAX } from '#contract/limits.ts';
import { LINK_SETTINGS } from './link-settings.ts';
import { tagNames } from './tags.ts';
import type { WatchMode } from './watch.ts';

export const LINK_ACTIONS = [
  'archive',
  'unarchive',
  'favorite',
  'unfavorite',
  'disable',
  'enable',
  'set_end',
  'set_watch',
  'add_tags',
  'remove_tags',
  'delete',
  'restore',
] as const;
export type LinkActionName = (typeof LINK_ACTIONS)[number];

const named = (name: string) => oneTo(name, ACTION_MAX);

const ids = z.array(z.int().check(z.minimum(1))).check(...named('ids'));

/**
 * POST /api/links/actions applies one action to up to ACTION_MAX own links, in one batch. `tags`
 * belongs to the actions for tags, `expiresAt` to `set_end` (null: no end), `watch` to `set_watch`.
 * `restore` takes links out of the trash.
 */
export const linkActionRequest = z
  .object({
    ids: z.optional(ids),
    codes: z.optional(
      z
        .array(
          z.string().check(z.regex(LINK_KEY_PATTERN, 'Each of codes must be the code of a link.')),
        )
        .check(...named('codes')),
    ),
    action: z.enum(LINK_ACTIONS),
    tags: z.optional(tagNames),
    expiresAt: z.optional(z.nullable(LINK_SETTINGS.expiresAt.schemas.page)),
    watch: z.optional(LINK_SETTINGS.watch.schemas.page),
  })
  .check(
    z.refine((by) => (by.ids === undefined) !== (by.codes === undefined), 'Send ids or codes.'),
    z.refine(
      ({ action, tags = [] }) => !action.endsWith('_tags') || tags.length > 0,
      'tags must name at least one tag.',
    ),
    z.refine(
      ({ action, expiresAt: end }) => action !== 'set_end' || end !== undefined,
      'expiresAt is missing.',
    ),
    z.refine(
      ({ action, watch }) => action !== 'set_watch' || watch !== undefined,
      'watch is missing.',
    ),
  );
export type LinkActionRequest = z.infer<typeof linkActionRequest>;

/** The action that takes back what another one has changed about a link. `expiresAt` is in ms. */
export type UndoAction = {
  action: LinkActionName;
  tags?: string[];
  expiresAt?: number | null;
  watch?: WatchMode;
};

/**
 * `lines` has the order of the request. A link that already has the wanted state counts as done;
 * its `undo` is null. A link that is not found has the code that the request names, or ''.
 */
export type LinkActionLine =
  | { ok: true; code: string; undo: UndoAction | null }
  | { ok: false; code: string; error: string };
export type LinkActionResponse = { lines: LinkActionLine[] };

/**
 * POST /api/links/purge deletes links in the trash for good: what they led to, what their owner
 * noted about them, and their history. Their codes stay taken (docs/decisions.md#d39).
 */
export const purgeRequest = z.object({ ids });
/** Status 200. `lines` has the order of the request. */
export type PurgeLine = { ok: true; code: string } | { ok: false; code: string; error: string };
export type PurgeResponse = { lines: PurgeLine[] };
