import { sql, type SQL } from 'drizzle-orm';
import type { LinkActionName, UndoAction } from '#contract/links/link-actions.ts';
import type { Tag } from '#contract/links/tags.ts';
import type { WatchMode } from '#contract/links/watch.ts';
import { links } from '#worker/db/schema-links.ts';
import { tagIdsAsJson } from '#worker/links/read/link-history.ts';

/** What actions change about a link. `tags` is a JSON array of ids. */
export type StateBefore = {
  id: number;
  archived: number;
  favorite: number;
  expires_at: number | null;
  watch: WatchMode;
  tags: string;
};

/**
 * The statement that reads the state of the links that an action is about to change. It belongs
 * before the change, in its batch, so that what it reads is what the action replaces.
 */
export const selectBefore = (where: SQL): SQL<StateBefore> =>
  sql<StateBefore>`select ${links}.id, archived, favorite, expires_at, watch, ${tagIdsAsJson} as tags
    from ${links} where ${where}`;

/**
 * Returns the action that restores the state before; null if the link was already as wanted. `tags`,
 * `watch` and `expiresAt` are those of the action.
 */
export function undoOf(
  action: LinkActionName,
  before: StateBefore,
  { tags, watch, expiresAt }: { tags: readonly Tag[]; watch: WatchMode; expiresAt: number | null },
): UndoAction | null {
  const flag = (isSet: boolean, undo: LinkActionName) => (isSet ? { action: undo } : null);
  const had: number[] = JSON.parse(before.tags);
  const tagged = (isChanged: (id: number) => boolean, undo: LinkActionName) => {
    const names = tags.flatMap(({ id, name }) => (isChanged(id) ? [name] : []));
    return names.length === 0 ? null : { action: undo, tags: names };
  };
  switch (action) {
    case 'archive':
      return flag(before.archived === 0, 'unarchive');
    case 'unarchive':
      return flag(before.archived === 1, 'archive');
    case 'favorite':
      return flag(before.favorite === 0, 'unfavorite');
    case 'unfavorite':
      return flag(before.favorite === 1, 'favorite');
    case 'add_tags':
      return tagged((id) => !had.includes(id), 'remove_tags');
    case 'remove_tags':
      return tagged((id) => had.includes(id), 'add_tags');
    case 'set_end':
      return before.expires_at === expiresAt
        ? null
        : { action: 'set_end', expiresAt: before.expires_at };
    case 'set_watch':
      return before.watch === watch ? null : { action: 'set_watch', watch: before.watch };
    case 'disable':
      return { action: 'enable' };
    case 'enable':
      return { action: 'disable' };
    case 'delete':
      return { action: 'restore' };
    case 'restore':
      return { action: 'delete' };
  }
}
