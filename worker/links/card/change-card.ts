import { sql, type SQL } from 'drizzle-orm';
import type { CardInput } from '#contract/links/link-card.ts';
import type { LinkRefusal } from '#worker/messages/links.ts';
import { runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import type { StoredCard } from '#worker/db/link-card.ts';
import { link_cards } from '#worker/db/schema-cards.ts';
import { links } from '#worker/db/schema-links.ts';
import { addToOutbox, isChangedAt } from '#worker/edge/outbox.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { recordChange } from '#worker/links/read/link-history.ts';
import { readOwnLink, type LinkActor, type LinkRef } from '#worker/links/read/own-link.ts';
import {
  CHANGED_TOO_OFTEN,
  chargeDay,
  mayChangeAgain,
  nextChangesUntil,
  type ChangeLimitReason,
} from '#worker/links/write/change-allowance.ts';
import { CHANGED_MEANWHILE, HELD, NOT_FOUND } from '#worker/links/write/change-link.ts';
import { recordKeyCard } from '#worker/links/write/record-key-action.ts';
import { planIncludesNumber } from '#worker/plans/plan-at.ts';
import { hasPicture, readPicture, storePicture } from './picture.ts';

export type CardReason =
  | 'not_found'
  | 'held'
  | 'changed_meanwhile'
  | 'invalid_picture'
  | 'too_many_cards'
  | ChangeLimitReason;
type Refusal = LinkRefusal<CardReason> & { upgradeRequired?: boolean };

export type CardResult = { ok: true; id: number; card: StoredCard | null } | Refusal;

type Change = { actor: LinkActor; ref: LinkRef; now: number };

/** How often a change starts over because the link was changed between its read and its write. */
const ATTEMPTS = 3;

/** Gives a member's own link a card, or changes it. The caller publishes the link afterwards. */
export async function setCard(
  db: Db,
  bucket: Pick<Env, 'BACKUPS'>,
  input: CardInput,
  change: Change,
): Promise<CardResult> {
  const { title, description = '', image } = input;
  const picture = typeof image === 'string' ? await readPicture(image) : null;
  if (typeof image === 'string' && picture === null)
    return { ok: false, reason: 'invalid_picture' };
  if (picture !== null) {
    // Checks the owner before anything is stored.
    const link = await readOwnLink(db, change.actor.userId, change.ref);
    if (link === null) return NOT_FOUND;
    await storePicture(bucket, picture);
  }
  const name = image === undefined ? null : (picture?.name ?? '');
  const result = await writeCard(
    db,
    change,
    (linkId, isWritten) => sql`insert into ${link_cards} (link_id, title, description, image)
      select ${linkId}, ${title}, ${description}, ${name ?? ''} where ${isWritten}
      on conflict do update set title = excluded.title, description = excluded.description,
        image = coalesce(${name}, image)`,
  );
  // The job that deletes unused pictures may have seen this one before the card named it.
  if (result.ok && picture !== null && !(await hasPicture(bucket, picture.name)))
    await storePicture(bucket, picture);
  return result;
}

/** Removes the card of a member's own link. A link without a card stays as it is. */
export const removeCard = (db: Db, change: Change): Promise<CardResult> =>
  writeCard(db, change, null);

/** Runs `write` in the batch of the change; null deletes the card. */
async function writeCard(
  db: Db,
  { actor, ref, now }: Change,
  write: ((linkId: number, isWritten: SQL) => Statement) | null,
): Promise<CardResult> {
  const { userId } = actor;
  const day = chargeDay(userId, { linkChanges: 1 }, now);
  const most = planIncludesNumber(sql`${userId}`, 'cards', now);
  const used = sql`(select count(*) from ${links} as other
    where other.user_id = ${userId} and other.card_at is not null and other.status <> 'deleted')`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const link = await readOwnLink(db, userId, ref);
    if (link === null) return NOT_FOUND;
    if (link.status === 'disabled' && link.disabledBy !== 'owner') return HELD;
    const hasCard = sql`(select card_at from ${links} where id = ${link.id}) is not null`;
    const isPossible = write === null ? hasCard : sql`(${hasCard} or ${used} < ${most})`;
    const mayWrite = sql`${links.id} = ${link.id} and ${links.version} = ${link.version}
      and ${links.user_id} = ${userId} and ${isPossible} and ${day.isCovered} and ${mayChangeAgain(now)}`;
    const written = sql`${links.id} = ${link.id} and ${links.version} = ${link.version + 1}
      and ${isChangedAt(now)}`;
    const isWritten = sql`exists (select 1 from ${links} where ${written})`;
    const { usage, limits, updated } = await runNamedBatch(db, {
      usage: day.usage,
      limits: sql<{
        has: number;
        full: number;
        most: number;
        paused: number;
      }>`select ${hasCard} as has, ${used} >= ${most} as full, ${most} as most,
        not exists (select 1 from ${links} where id = ${link.id} and ${mayChangeAgain(now)}) as paused`,
      recorded: recordChange(mayWrite, actor.keyName, now),
      updated: sql`update ${links} set card_at = ${write === null ? null : now},
        version = version + 1, updated_at = ${now}, changes_until = ${nextChangesUntil(now)}
        where ${mayWrite}`,
      card:
        write === null
          ? sql`delete from ${link_cards} where link_id = ${link.id} and ${isWritten}`
          : write(link.id, isWritten),
      events: recordLinkEvents('link.updated', written, now, ['card']),
      logged: recordKeyCard(link.code, { actor, now, isDone: isWritten }),
      counted: day.count(isWritten),
      queued: addToOutbox(db, written, now),
    });
    if (updated.changes > 0) {
      const after = await readOwnLink(db, userId, { id: link.id });
      return { ok: true, id: link.id, card: after?.card ?? null };
    }
    const [limit] = limits.rows;
    if (limit?.has === 0 && write === null) return { ok: true, id: link.id, card: null };
    if (limit?.has === 0 && limit.full === 1)
      return { ok: false, reason: 'too_many_cards', values: { limit: limit.most } };
    const error = limit?.paused === 1 ? CHANGED_TOO_OFTEN : day.errorOf(usage.rows);
    if (error !== null) return error;
  }
  return CHANGED_MEANWHILE;
}
