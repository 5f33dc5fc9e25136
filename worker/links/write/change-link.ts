import type { LinkRefusal } from '#worker/messages/links.ts';
import { checkHarm } from '#worker/safety/check-harm.ts';
import type { Reputation } from '#worker/safety/reputation.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { ensureTags, type TagErrorReason } from '#worker/tags/tags.ts';
import { chargeDay, type ChangeLimitError, type ChangeLimitReason } from './change-allowance.ts';
import { recordNotes, writeDetails, type StoredDetails } from './link-details.ts';
import type { LinkEdit } from './link-draft.ts';
import { NOTES, pickSettings, PUBLISHED } from '#worker/links/settings/link-settings.ts';
import {
  readOwnLink,
  type LinkActor,
  type LinkRef,
  type OwnLink,
} from '#worker/links/read/own-link.ts';
import { planRename, type RenameErrorReason } from './rename-link.ts';
import { EXTERNAL_ID_TAKEN } from './shorten.ts';
import { isChangeWritten, nextVersion, updateLink, type LinkFields } from './update-link.ts';

export type ChangeErrorReason =
  | TagErrorReason
  | 'not_found'
  | 'held'
  | 'invalid_target'
  | 'external_id_taken'
  | RenameErrorReason
  | ChangeLimitReason
  | 'changed_meanwhile';
export type LinkChangeResult =
  | { ok: true; link: OwnLink }
  | (LinkRefusal<ChangeErrorReason> & { upgradeRequired?: boolean });

export const NOT_FOUND = { ok: false, reason: 'not_found' } as const;
export const HELD = { ok: false, reason: 'held' } as const;
export const CHANGED_MEANWHILE = { ok: false, reason: 'changed_meanwhile' } as const;

/**
 * How many times a change is tried, because another one can be written between its read and its
 * write.
 */
const ATTEMPTS = 3;

/**
 * Changes a member's own link. The change is written only over the version that it was computed
 * from, so a link that moderation disables in the meantime stays disabled. The caller publishes the
 * link afterwards.
 */
export async function changeLink(
  db: Db,
  change: {
    actor: LinkActor;
    ref: LinkRef;
    edit: LinkEdit;
    reputation: Reputation | null;
    now: number;
  },
): Promise<LinkChangeResult> {
  const { actor, ref, edit, reputation, now } = change;
  const { userId } = actor;
  const resolved = changesNotes(edit) ? await resolveTags(db, userId, edit, now) : null;
  if (resolved?.ok === false) return resolved;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const link = await readOwnLink(db, userId, ref);
    if (link === null) return NOT_FOUND;
    if (!changesState(edit))
      return (
        (await changeDetails(db, actor, link, resolved?.details, now)) ??
        readUpdatedLink(db, userId, link, resolved !== null)
      );
    if (link.status === 'disabled' && link.disabledBy !== 'owner') return HELD;
    const fields = applyEdit(link, edit);
    if (await isExternalIdTaken(db, userId, link, fields.externalId)) return EXTERNAL_ID_TAKEN;
    const renaming =
      edit.code === undefined || edit.code === link.code
        ? null
        : await planRename(db, userId, link, edit.code);
    if (renaming?.ok === false) return renaming;
    const rename = renaming?.rename ?? null;
    // The blocklist may have changed since the target was stored, so enabling a link checks its
    // target again.
    if (edit.target !== undefined || (edit.enabled === true && link.status === 'disabled')) {
      const harm = await checkHarm(
        db,
        { href: fields.target, host: fields.targetHost },
        reputation,
        true,
        now,
      );
      if (!harm.ok) return { ok: false, reason: 'invalid_target', values: { target: harm.reason } };
      fields.recheckAt = harm.recheckAt;
    }
    const isDone = isChangeWritten(link, rename, now);
    const details =
      resolved === null ? [] : writeDetails(db, userId, link.id, resolved.details, now, isDone);
    const result = await updateLink(db, link, fields, { actor, now, rename, alongside: details });
    if (typeof result === 'object') return result;
    if (result === 'changed') {
      const changed = { ...link, ...fields, version: nextVersion(link, rename), updatedAt: now };
      return readUpdatedLink(db, userId, changed, resolved !== null || rename !== null);
    }
  }
  return CHANGED_MEANWHILE;
}

/**
 * Writes the owner's notes on a link. Returns an error if the member's changes of the day are used
 * up, otherwise null.
 */
async function changeDetails(
  db: Db,
  { userId, keyName }: LinkActor,
  link: OwnLink,
  details: StoredDetails | undefined,
  now: number,
): Promise<ChangeLimitError | null> {
  if (details === undefined) return null;
  const day = chargeDay(userId, { linkChanges: 1 }, now);
  const { rooms } = await runNamedBatch(db, {
    rooms: day.rooms,
    recorded: recordNotes(userId, link.id, details, keyName ?? '', now, day.isCovered),
    written: writeDetails(db, userId, link.id, details, now, day.isCovered),
    counted: day.count(day.isCovered),
  });
  return day.errorOf(rooms.rows);
}

/**
 * Whether an edit changes more than the owner's notes. Notes can be changed even while the link is
 * on hold.
 */
export const changesState = ({
  code,
  target,
  externalId,
  enabled,
  ...settings
}: LinkEdit): boolean =>
  [code, target, externalId, enabled, ...PUBLISHED.map((name) => settings[name])].some(
    (value) => value !== undefined,
  );

export const changesNotes = (edit: LinkEdit): boolean =>
  edit.tags !== undefined || NOTES.some((name) => edit[name] !== undefined);

type ResolvedDetails =
  | { ok: true; details: StoredDetails }
  | Extract<LinkChangeResult, { ok: false }>;

async function resolveTags(
  db: Db,
  userId: string,
  { tags, ...settings }: LinkEdit,
  now: number,
): Promise<ResolvedDetails> {
  const notes = pickSettings(settings, NOTES);
  if (tags === undefined) return { ok: true, details: notes };
  const result = await ensureTags(db, userId, tags, now);
  return result.ok
    ? { ok: true, details: { ...notes, tagIds: result.tags.map(({ id }) => id) } }
    : result;
}

/**
 * Returns the link after a change. It is read again only if its notes or codes changed, because
 * only D1 has the names and colors of tags.
 */
async function readUpdatedLink(
  db: Db,
  userId: string,
  link: OwnLink,
  mustRead: boolean,
): Promise<LinkChangeResult> {
  const current = mustRead ? await readOwnLink(db, userId, { id: link.id }) : link;
  return current === null ? NOT_FOUND : { ok: true, link: current };
}

/**
 * Deletes a member's own link and returns its state before. Its row stays, so that nobody else gets
 * its code (docs/decisions.md#d39).
 */
export async function deleteLink(
  db: Db,
  actor: LinkActor,
  ref: LinkRef,
  now: number,
): Promise<LinkChangeResult> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const link = await readOwnLink(db, actor.userId, ref);
    if (link === null) return NOT_FOUND;
    const fields = { ...link, status: 'deleted' as const };
    if ((await updateLink(db, link, fields, { actor, now })) === 'changed')
      return { ok: true, link };
  }
  return CHANGED_MEANWHILE;
}

async function isExternalIdTaken(
  db: Db,
  userId: string,
  link: OwnLink,
  externalId: string | null,
): Promise<boolean> {
  if (externalId === null || externalId === link.externalId) return false;
  return (await readOwnLink(db, userId, { externalId })) !== null;
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
