import type { TAG_MESSAGES } from '#worker/messages/features.ts';
import { TAG_COLORS, type Tag, type TagColor } from '#contract/links/tags.ts';
import { TAGS_MAX } from '#contract/limits.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import {
  countTaggedLinks,
  dissolveTag,
  insertTags,
  readNamesByLink,
  readTags,
  updateTag,
} from './store.ts';

export type TagErrorReason = keyof typeof TAG_MESSAGES;
export type TagError = { ok: false; reason: TagErrorReason };
export type TagResult = { ok: true; tag: Tag } | TagError;

export const TAG_NOT_FOUND = { ok: false, reason: 'tag_not_found' } as const;
const TAKEN = { ok: false, reason: 'tag_taken' } as const;
const TOO_MANY = { ok: false, reason: 'too_many_tags' } as const;

/** Two tags of an account never have the same key. D1's own `lower` only converts A to Z. */
const keyOf = (name: string): string => name.toLowerCase();

export const listTags = readTags;
export const countLinksByTag = countTaggedLinks;
export const readTagNames = readNamesByLink;

export const idsOfTags = (tags: readonly Tag[], names: readonly string[]): number[] =>
  tags.flatMap(({ id, name }) => (names.some((other) => keyOf(other) === keyOf(name)) ? [id] : []));

/**
 * Returns the member's tags with these names, ignoring case. It creates missing tags, in the color
 * that the fewest of the member's tags have.
 */
export async function ensureTags(
  db: Db,
  userId: string,
  names: readonly string[],
  now: number,
): Promise<{ ok: true; tags: Tag[] } | TagError> {
  const wanted = new Map(names.map((name) => [keyOf(name), name]));
  if (wanted.size === 0) return { ok: true, tags: [] };
  const known = await readTags(db, userId);
  const missing = [...wanted].flatMap(([key, name]) =>
    known.some((tag) => keyOf(tag.name) === key) ? [] : [name],
  );
  let all = known;
  if (missing.length > 0) {
    const used = known.map(({ color }) => color);
    const created = missing.map((name) => {
      const color = rarestColor(used);
      used.push(color);
      return { name, color };
    });
    await runBatch(db, [insertTags(userId, created, now)]);
    all = await readTags(db, userId);
  }
  const found = all.filter((tag) => wanted.has(keyOf(tag.name)));
  return found.length < wanted.size ? TOO_MANY : { ok: true, tags: found };
}

/**
 * Creates the missing tags of each list, as long as the account may have more. `tags` are those of
 * all lists; a list has `isComplete` only if all its tags exist.
 */
export async function ensureTagsOfEach(
  db: Db,
  userId: string,
  lists: readonly (readonly string[])[],
  now: number,
): Promise<{ tags: Tag[]; isComplete: boolean[] }> {
  const known = lists.some((names) => names.length > 0) ? await readTags(db, userId) : [];
  const keys = new Set(known.map(({ name }) => keyOf(name)));
  const missing: string[] = [];
  for (const names of lists) {
    const added = names.filter(
      (name, at) =>
        !keys.has(keyOf(name)) && names.findIndex((other) => keyOf(other) === keyOf(name)) === at,
    );
    if (keys.size + added.length > TAGS_MAX) continue;
    for (const name of added) keys.add(keyOf(name));
    missing.push(...added);
  }
  const wanted = lists.flat().filter((name) => keys.has(keyOf(name)));
  const result = await ensureTags(db, userId, [...wanted, ...missing], now);
  // Another request may have used the room in the meantime.
  const tags = result.ok ? result.tags : await readTags(db, userId);
  const found = new Set(tags.map(({ name }) => keyOf(name)));
  return { tags, isComplete: lists.map((names) => names.every((name) => found.has(keyOf(name)))) };
}

function rarestColor(used: readonly TagColor[]): TagColor {
  const count = (color: TagColor): number => used.filter((other) => other === color).length;
  return TAG_COLORS.reduce((best, color) => (count(color) < count(best) ? color : best));
}

export async function createTag(
  db: Db,
  userId: string,
  { name, color }: { name: string; color?: TagColor | undefined },
  now: number,
): Promise<TagResult> {
  const known = await readTags(db, userId);
  if (known.some((tag) => keyOf(tag.name) === keyOf(name))) return TAKEN;
  await runBatch(db, [
    insertTags(userId, [{ name, color: color ?? rarestColor(known.map((tag) => tag.color)) }], now),
  ]);
  const tag = (await readTags(db, userId)).find((other) => keyOf(other.name) === keyOf(name));
  return tag === undefined ? TOO_MANY : { ok: true, tag };
}

export async function changeTag(
  db: Db,
  userId: string,
  id: number,
  change: { name?: string | undefined; color?: TagColor | undefined },
): Promise<TagResult> {
  const { name } = change;
  const others =
    name === undefined ? [] : (await readTags(db, userId)).filter((tag) => tag.id !== id);
  const isTaken = name !== undefined && others.some((tag) => keyOf(tag.name) === keyOf(name));
  const isChanged = !isTaken && (await updateTag(db, userId, id, change));
  const tag = await findTag(db, userId, id);
  if (tag === null) return TAG_NOT_FOUND;
  return isChanged ? { ok: true, tag } : TAKEN;
}

/** Replaces a tag by the tag `into` on all its links, and deletes it. */
export async function mergeTag(
  db: Db,
  userId: string,
  id: number,
  into: number,
): Promise<TagResult> {
  const target = await findTag(db, userId, into);
  if (target === null || id === into || (await findTag(db, userId, id)) === null)
    return TAG_NOT_FOUND;
  await dissolveTag(db, userId, id, into);
  return { ok: true, tag: target };
}

export async function deleteTag(db: Db, userId: string, id: number): Promise<TagResult> {
  const tag = await findTag(db, userId, id);
  if (tag === null) return TAG_NOT_FOUND;
  await dissolveTag(db, userId, id, null);
  return { ok: true, tag };
}

async function findTag(db: Db, userId: string, id: number): Promise<Tag | null> {
  return (await readTags(db, userId)).find((tag) => tag.id === id) ?? null;
}
