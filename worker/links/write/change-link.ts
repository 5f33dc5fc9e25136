import { sql } from 'drizzle-orm';
import { linkKey, splitKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import type { LinkRefusal } from '#worker/messages/links.ts';
import { checkHarm } from '#worker/safety/check-harm.ts';
import type { Reputation } from '#worker/safety/reputation.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { links } from '#worker/db/schema-links.ts';
import { ensureTags, type TagErrorReason } from '#worker/tags/tags.ts';
import { chargeDay, type ChangeLimitReason } from './change-allowance.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { changedFields, toLinkFacts } from '#worker/links/read/link-json.ts';
import { END_BEFORE_START, type LinkEdit } from './link-draft.ts';
import {
  destinationsOf,
  refuseDestination,
  type DestinationError,
} from '#worker/links/settings/destinations.ts';
import { NOTES, pickSettings, PUBLISHED } from '#worker/links/settings/link-settings.ts';
import {
  isExternalIdTaken,
  readOwnLink,
  type LinkActor,
  type LinkRef,
  type OwnLink,
} from '#worker/links/read/own-link.ts';
import {
  nextVersion,
  planRename,
  type RenameErrorReason,
  type RenameRefusal,
} from './rename-link.ts';
import { EXTERNAL_ID_TAKEN } from './shorten.ts';
import { resetsCount, updateLink, type LinkFields } from './update-link.ts';
import { recordNotes, writeNotes, type StoredNotes } from './write-notes.ts';

export type ChangeErrorReason =
  | TagErrorReason
  | 'not_found'
  | 'held'
  | DestinationError['reason']
  | 'end_before_start'
  | 'external_id_taken'
  | RenameErrorReason
  | ChangeLimitReason
  | 'changed_meanwhile'
  | 'changed_since';
export type LinkChangeResult =
  | { ok: true; link: OwnLink }
  | (LinkRefusal<ChangeErrorReason> & {
      upgradeRequired?: boolean;
      movesTo?: RenameRefusal['movesTo'];
    });

export const NOT_FOUND = { ok: false, reason: 'not_found' } as const;
export const HELD = { ok: false, reason: 'held' } as const;
export const CHANGED_SINCE = { ok: false, reason: 'changed_since' } as const;
export const CHANGED_MEANWHILE = { ok: false, reason: 'changed_meanwhile' } as const;

/** How often a change starts over because the link was changed between its read and its write. */
const ATTEMPTS = 3;

type Change = {
  actor: LinkActor;
  ref: LinkRef;
  edit: LinkEdit;
  reputation: Reputation | null;
  now: number;
  /**
   * The condition under which the link is changed. Such a change always raises the version, so that
   * of two changes with the same condition only one is written.
   */
  isExpected?: IsExpected;
};

/** True for the state of a link that the caller has seen. */
export type IsExpected = ((link: OwnLink) => boolean) | undefined;

/**
 * Changes a member's own link. The change is written only over the version that it was computed
 * from, so a link that moderation disables in the meantime stays disabled. The caller publishes the
 * link afterwards.
 */
export async function changeLink(db: Db, change: Change): Promise<LinkChangeResult> {
  const { actor, ref, edit, now, isExpected } = change;
  const resolved = changesNotes(edit) ? await resolveNotes(db, actor.userId, edit, now) : null;
  if (resolved?.ok === false) return resolved;
  const notes = resolved?.notes ?? null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const link = await readOwnLink(db, actor.userId, ref);
    if (link === null) return NOT_FOUND;
    if (isExpected?.(link) === false) return CHANGED_SINCE;
    const result =
      changesState(edit) || isExpected !== undefined
        ? await changeState(db, link, notes, change)
        : await changeOnlyNotes(db, link, notes, change);
    if (result !== 'stale') return result;
  }
  return CHANGED_MEANWHILE;
}

/** Changes more than the owner's notes. Returns 'stale' if the link is no longer as it was read. */
async function changeState(
  db: Db,
  link: OwnLink,
  notes: StoredNotes | null,
  { actor, edit, reputation, now }: Change,
): Promise<LinkChangeResult | 'stale'> {
  const { userId } = actor;
  if (link.status === 'disabled' && link.disabledBy !== 'owner') return HELD;
  const fields = applyEdit(link, edit);
  const { externalId } = fields;
  if (externalId !== link.externalId && (await isExternalIdTaken(db, userId, externalId)))
    return EXTERNAL_ID_TAKEN;
  const key = keyAfter(link, edit);
  const renaming = key === link.code ? null : await planRename(db, userId, link, key);
  if (renaming?.ok === false) return renaming;
  const rename = renaming?.rename ?? null;
  if (changesTimes(edit) && endsBeforeStart(fields)) return END_BEFORE_START;
  // The blocklist may have changed since the target was stored, so enabling a link checks its
  // destinations again.
  if (changesDestination(edit) || (edit.enabled === true && link.status === 'disabled')) {
    const targets = [{ href: fields.target, host: fields.targetHost }, ...destinationsOf(fields)];
    const harm = await checkHarm(db, targets, reputation, true, now);
    if (!harm.ok) return refuseDestination(harm.href, fields, harm.reason);
    fields.recheckAt = harm.recheckAt;
  }
  const result = await updateLink(db, link, fields, { actor, now, rename, notes });
  if (result !== 'changed') return result;
  if (notes !== null || rename !== null) return readAgain(db, userId, link);
  const version = nextVersion(link, rename);
  const limitUsed = resetsCount(link, fields) ? 0 : link.limitUsed;
  const health = fields.target === link.target ? link.health : null;
  const after = { ...link, ...fields, limitUsed, health, version, updatedAt: now };
  return { ok: true, link: after };
}

/** The key of a link after an edit, which can move it to another domain. */
function keyAfter(link: OwnLink, edit: LinkEdit): LinkKey {
  const { domain, code } = splitKey(link.code);
  return linkKey(edit.domain ?? domain, edit.code ?? code);
}

const changesDestination = ({
  target,
  fallbackUrl,
  rules,
  variants,
  watchFallback,
}: LinkEdit): boolean =>
  target !== undefined ||
  [fallbackUrl, rules, variants, watchFallback].some((value) => (value ?? '') !== '');

const changesTimes = ({ startsAt, expiresAt }: LinkEdit): boolean =>
  startsAt !== undefined || expiresAt !== undefined;

const endsBeforeStart = ({ startsAt, expiresAt }: LinkFields): boolean =>
  startsAt !== null && expiresAt !== null && expiresAt <= startsAt;

/** `notes` is null for an edit without any field. */
async function changeOnlyNotes(
  db: Db,
  link: OwnLink,
  notes: StoredNotes | null,
  { actor: { userId, keyName }, now }: Change,
): Promise<LinkChangeResult> {
  if (notes === null) return { ok: true, link };
  const day = chargeDay(userId, { linkChanges: 1 }, now);
  const isWritten = sql`${links.id} = ${link.id} and ${links.user_id} = ${userId}
    and ${links.status} <> 'deleted' and ${day.isCovered}`;
  const changed = changedFields(toLinkFacts(link), toLinkFacts({ ...link, ...notes }), now);
  const change = { userId, linkId: link.id, notes, now, when: day.isCovered };
  const { usage } = await runNamedBatch(db, {
    usage: day.usage,
    recorded: recordNotes(change, keyName),
    written: writeNotes(db, change),
    events: changed.length === 0 ? [] : recordLinkEvents('link.updated', isWritten, now, changed),
    counted: day.count(day.isCovered),
  });
  return day.errorOf(usage.rows) ?? readAgain(db, userId, link);
}

/** Reads a link whose notes or codes have changed: only D1 has the names and colors of its tags. */
async function readAgain(db: Db, userId: string, { id }: OwnLink): Promise<LinkChangeResult> {
  const link = await readOwnLink(db, userId, { id });
  return link === null ? NOT_FOUND : { ok: true, link };
}

/**
 * Whether an edit changes more than the owner's notes. Notes can be changed even while the link is
 * on hold.
 */
export const changesState = ({
  code,
  domain,
  target,
  externalId,
  enabled,
  ...settings
}: LinkEdit): boolean =>
  [code, domain, target, externalId, enabled, ...PUBLISHED.map((name) => settings[name])].some(
    (value) => value !== undefined,
  );

export const changesNotes = (edit: LinkEdit): boolean =>
  edit.tags !== undefined || NOTES.some((name) => edit[name] !== undefined);

type ResolvedNotes = { ok: true; notes: StoredNotes } | Extract<LinkChangeResult, { ok: false }>;

/** Creates the tags of an edit that do not exist yet, and returns its notes with the tags' ids. */
async function resolveNotes(
  db: Db,
  userId: string,
  { tags, ...settings }: LinkEdit,
  now: number,
): Promise<ResolvedNotes> {
  const notes = pickSettings(settings, NOTES);
  if (tags === undefined) return { ok: true, notes };
  const result = await ensureTags(db, userId, tags, now);
  return result.ok ? { ok: true, notes: { ...notes, tags: result.tags } } : result;
}

/**
 * Deletes a member's own link and returns its state before. Its row stays, so that nobody else gets
 * its code (docs/decisions.md#d39).
 */
export async function deleteLink(
  db: Db,
  { actor, ref, now, isExpected }: Omit<Change, 'edit' | 'reputation'>,
): Promise<LinkChangeResult> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const link = await readOwnLink(db, actor.userId, ref);
    if (link === null) return NOT_FOUND;
    if (isExpected?.(link) === false) return CHANGED_SINCE;
    const fields = { ...link, status: 'deleted' as const };
    if ((await updateLink(db, link, fields, { actor, now })) === 'changed')
      return { ok: true, link };
  }
  return CHANGED_MEANWHILE;
}

const applyEdit = (
  link: OwnLink,
  { target, externalId = link.externalId, enabled, ...settings }: LinkEdit,
): LinkFields => ({
  ...link,
  ...pickSettings(settings, PUBLISHED),
  ...(target === undefined ? {} : { target: target.href, targetHost: target.host }),
  ...(enabled === undefined ? {} : enabled ? ENABLED : DISABLED),
  externalId,
});

const ENABLED = { status: 'active', disabledBy: null, disabledReason: null } as const;
const DISABLED = { status: 'disabled', disabledBy: 'owner', disabledReason: null } as const;
