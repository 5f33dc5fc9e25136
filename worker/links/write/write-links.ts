import { previewKey, qrKey } from '#worker/http/cache-keys.ts';
import type { RequestContext } from '#worker/http/context.ts';
import { evict } from '#worker/http/edge-cache.ts';
import type { Origins } from '#worker/http/origins.ts';
import type { InsertGuard } from '#worker/http/idempotency.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import {
  actOnLinks,
  type Acting,
  type ActionOnLinks,
  type LinkActionResult,
} from './act-on-links.ts';
import {
  changeLink,
  changesState,
  deleteLink,
  NOT_FOUND,
  type IsExpected,
  type LinkChangeResult,
} from './change-link.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import type { Creator } from './link-allowance.ts';
import { indexLater } from '#worker/links/words/index-words.ts';
import type { LinkDraft, LinkEdit } from './link-draft.ts';
import { publishLater } from '#worker/events/publish-later.ts';
import {
  hashChangedPassword,
  hashNewPassword,
  hashNewPasswords,
  PASSWORDS_BUSY,
} from '#worker/links/settings/hash-password.ts';
import { shorten, type ShortenResult } from './shorten.ts';
import {
  shortenMany,
  type DraftLine,
  type ShortenManyOptions,
  type ShortenManyResult,
} from './shorten-many.ts';
import { reputationOf } from '#worker/safety/target-policy.ts';
import {
  readOwnLink,
  type LinkActor,
  type LinkRef,
  type OwnLink,
} from '#worker/links/read/own-link.ts';

/**
 * What routes call to change links. Each function calls the use case that changes D1 (`createLink`
 * calls `shorten`, `editLink` calls `changeLink`, `removeLink` calls `deleteLink`), and then publishes
 * the links to KV, indexes their words and evicts cached pages.
 */

export async function createLink(
  context: RequestContext,
  creator: Creator,
  draft: LinkDraft,
  guard: InsertGuard | null = null,
): Promise<ShortenResult | typeof PASSWORDS_BUSY> {
  const { db, env, origins, now, waitUntil } = context;
  if (!(await hashNewPassword(env.PASSWORD_HASHERS, draft))) return PASSWORDS_BUSY;
  const result = await shorten(db, draft, {
    creator,
    reputation: reputationOf(context),
    now,
    random: cryptoRandom,
    guard,
  });
  if (!result.ok) return result;
  waitUntil(publishLater(env, [result.id], now));
  // The cache may hold the preview of a deleted link with this code.
  if (draft.code !== null) await evict([previewKey(origins, result.code)]);
  return result;
}

export async function createLinks(
  context: RequestContext,
  userId: string,
  lines: readonly DraftLine[],
  options: Pick<ShortenManyOptions, 'failure' | 'guard'>,
): Promise<ShortenManyResult | typeof PASSWORDS_BUSY> {
  const { db, env, now, waitUntil } = context;
  const drafts = await hashNewPasswords(env.PASSWORD_HASHERS, lines);
  if (drafts === null) return PASSWORDS_BUSY;
  const shared = {
    creator: { userId },
    reputation: reputationOf(context),
    now,
    random: cryptoRandom,
  };
  const result = await shortenMany(db, drafts, { ...shared, ...options });
  if (!result.ok) return result;
  waitUntil(publishLater(env, result.ids, now));
  return result;
}

type WhichLink = { actor: LinkActor; ref: LinkRef; isExpected?: IsExpected };

export async function editLink(
  context: RequestContext,
  { actor, ref, isExpected }: WhichLink,
  edit: LinkEdit,
): Promise<LinkChangeResult | typeof PASSWORDS_BUSY> {
  const { db, env, origins, now, waitUntil } = context;
  const { PASSWORD_HASHERS: hashers } = env;
  if ((edit.newPassword ?? '') !== '') {
    const link = await readOwnLink(db, actor.userId, ref);
    if (link === null) return NOT_FOUND;
    if (!(await hashChangedPassword(hashers, edit, link.password))) return PASSWORDS_BUSY;
  } else await hashNewPassword(hashers, edit);
  const reputation = reputationOf(context);
  const result = await changeLink(db, { actor, ref, edit, reputation, now, isExpected });
  if (!result.ok) return nameMove(result, origins);
  waitUntil(indexLater(db, [result.link.id]));
  const isPublished = changesState(edit) || isExpected !== undefined;
  waitUntil(publishLater(env, isPublished ? [result.link.id] : [], now));
  if (!isPublished) return result;
  await evict(codesOf(result.link).map((code) => previewKey(origins, code)));
  return result;
}

/** Adds the short URL that the link would have got by a move, for the message. */
function nameMove(
  refusal: Exclude<LinkChangeResult, { ok: true }>,
  origins: Origins,
): LinkChangeResult {
  const { movesTo } = refusal;
  if (movesTo === undefined) return refusal;
  const shortUrl = shortUrlOf(origins, movesTo).replace(/^\w+:\/\//, '');
  return { ...refusal, values: { ...refusal.values, shortUrl } };
}

const codesOf = ({ code, earlierCodes }: OwnLink): string[] => [code, ...earlierCodes];

/** The cached pages that depend on whether a link exists: its preview and its QR code. */
const pageKeys = (origins: Origins, codes: readonly string[]): string[] =>
  codes.flatMap((code) => [previewKey(origins, code), qrKey(origins, code)]);

export async function actOn(
  context: RequestContext,
  actor: Acting,
  action: ActionOnLinks,
): Promise<LinkActionResult> {
  const { db, env, origins, now, waitUntil } = context;
  const result = await actOnLinks(db, actor, action, {
    now,
    hasReputation: reputationOf(context) !== null,
  });
  if (!result.ok) return result;
  const ids = result.changed.map(({ id }) => id);
  waitUntil(publishLater(env, ids, now));
  waitUntil(indexLater(db, ids));
  await evict(result.changed.flatMap(({ codes }) => pageKeys(origins, codes)));
  return result;
}

export async function removeLink(
  context: RequestContext,
  { actor, ref, isExpected }: WhichLink,
): Promise<LinkChangeResult> {
  const { db, env, origins, now, waitUntil } = context;
  const result = await deleteLink(db, { actor, ref, now, isExpected });
  if (!result.ok) return result;
  waitUntil(publishLater(env, [result.link.id], now));
  waitUntil(indexLater(db, [result.link.id]));
  await evict(pageKeys(origins, codesOf(result.link)));
  return result;
}
