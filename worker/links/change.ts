import type { LinkChange } from '#contract/links.ts';
import { checkHarm } from '#worker/abuse/check-harm.ts';
import type { Db } from '#worker/db/client.ts';
import { checkDestination, type Destination, type LinkPolicy } from './destination.ts';
import { readOwnLink, writeLink, type LinkFields, type OwnLink } from './store.ts';

export type Changed = { ok: true; link: OwnLink };
export type NotChanged = {
  ok: false;
  reason: 'not_found' | 'held' | 'invalid_target' | 'invalid_expiry' | 'changed_meanwhile';
  message: string;
};

const NOT_FOUND = { ok: false, reason: 'not_found', message: 'There is no such link among yours.' } as const;
const HELD = {
  ok: false,
  reason: 'held',
  message: 'This link has been disabled by the service and cannot be changed. You may delete it, or ask us to look at it again.',
} as const;
/** How often a change starts anew because another one came between its reading and its writing. */
const ATTEMPTS = 3;

/** One link of this member; another's is as unknown as none. */
export async function ownLink(db: Db, userId: string, code: string): Promise<OwnLink | null> {
  return readOwnLink(db, userId, code);
}

/**
 * Changes a member's own link. The change is written only over the version it was decided on, so that a link which the
 * service disables meanwhile stays disabled. The caller publishes the link afterwards.
 */
export async function changeLink(
  db: Db,
  userId: string,
  code: string,
  change: LinkChange,
  policy: LinkPolicy,
  now: number,
): Promise<Changed | NotChanged> {
  if (change.expiresAt !== undefined && change.expiresAt !== null && change.expiresAt <= now)
    return { ok: false, reason: 'invalid_expiry', message: 'The end date has passed already.' };
  const destination = change.longUrl === undefined ? null : checkDestination(change.longUrl, policy);
  if (destination !== null && !destination.ok) return { ok: false, reason: 'invalid_target', message: destination.message };

  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const link = await readOwnLink(db, userId, code);
    if (link === null) return NOT_FOUND;
    if (link.status === 'disabled' && link.disabledBy !== 'owner') return HELD;
    const fields = changedFields(link, change, destination);
    // A target may have come on the list since it was stored: it is asked for whenever the link would lead there anew.
    const leadsAnew = destination !== null || (change.enabled === true && link.status === 'disabled');
    if (leadsAnew) {
      const harm = await checkHarm(db, new URL(fields.target), policy.reputation ?? null, true, now);
      if (!harm.ok) return { ok: false, reason: 'invalid_target', message: harm.message };
      fields.recheckAt = harm.recheckAt;
    }
    if (await writeLink(db, link, fields, now)) return { ok: true, link: { ...link, ...fields, version: link.version + 1 } };
  }
  return { ok: false, reason: 'changed_meanwhile', message: 'Somebody else changed this link meanwhile. Load it again.' };
}

/** Deletes a member's own link. Its row and its code stay: the code is never given out again (decision 14). */
export async function deleteLink(db: Db, userId: string, code: string, now: number): Promise<Changed | NotChanged> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const link = await readOwnLink(db, userId, code);
    if (link === null) return NOT_FOUND;
    const fields = { ...fieldsOf(link), status: 'deleted' as const };
    if (await writeLink(db, link, fields, now)) return { ok: true, link: { ...link, version: link.version + 1 } };
  }
  return { ok: false, reason: 'changed_meanwhile', message: 'Somebody else changed this link meanwhile. Load it again.' };
}

const fieldsOf = ({ target, targetHost, expiresAt, status, disabledBy, disabledReason }: OwnLink): LinkFields => ({
  target,
  targetHost,
  expiresAt,
  status,
  disabledBy,
  disabledReason,
});

function changedFields(link: OwnLink, change: LinkChange, destination: Destination | null): LinkFields {
  const fields = fieldsOf(link);
  if (destination !== null) {
    fields.target = destination.href;
    fields.targetHost = destination.host;
  }
  if (change.expiresAt !== undefined) fields.expiresAt = change.expiresAt;
  if (change.enabled === true) {
    fields.status = 'active';
    fields.disabledBy = null;
    fields.disabledReason = null;
  }
  if (change.enabled === false) {
    fields.status = 'disabled';
    fields.disabledBy = 'owner';
    fields.disabledReason = 'Its owner switched this link off.';
  }
  return fields;
}
