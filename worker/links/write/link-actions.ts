import { sql, type SQL } from 'drizzle-orm';
import { LINK_SETTINGS } from '#contract/links/link-settings.ts';
import type { LinkActionName } from '#contract/links/link-actions.ts';
import type { WatchMode } from '#contract/links/watch.ts';
import type { LinkEvent } from '#contract/webhooks/webhook-events.ts';
import type { Statement } from '#worker/db/batch.ts';
import { isActive } from '#worker/db/link-status.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { links } from '#worker/db/schema-links.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { isHeld } from '#worker/edge/link-holds.ts';
import { recordLinkEvents, type ChangedFields } from '#worker/events/record-link-events.ts';
import { recordChange } from '#worker/links/read/link-history.ts';

/** An action that changes the redirect of a link. */
export type RedirectAction = {
  event: LinkEvent;
  /** The fields of the public API that it changes. */
  changed: ChangedFields | ((now: number) => ChangedFields);
  /** True in SQL while the action can be applied to the link. */
  isApplicable: SQL;
  /** The assignments of the update. */
  set: (expiresAt: number | null) => SQL;
  /** A link with this status needs no change. */
  doneStatus?: string;
  /** The action is for links in the trash. */
  isFromTrash?: true;
  /** Stopping a link is never limited, because starting it again is. */
  stops?: true;
  /** The link starts again, so its target is checked for harm: now, and by a job. */
  starts?: true;
  /** A link on hold gets an error that says so. */
  namesHold?: true;
};

/** Returns the statements of an action on notes. `tags` is a list of tag ids in SQL. */
export type NotesAction = (given: {
  isAllowed: SQL;
  tags: SQL;
  watch: WatchMode;
  /** As in `recordChange`. */
  keyName: string | null;
  now: number;
}) => Statement[];

export const isListed = sql`${links}.status <> 'deleted'`;
const isOwnersDisabling = sql`${links}.disabled_by = 'owner'`;
const isTagged = sql`exists (select 1 from ${link_tags} where link_id = ${links}.id and tag_id = tag.value)`;

/** Sets the time of the change, by which `isTouched` finds the changed links for their events. */
const touch = (now: number): SQL => sql`notes_version = notes_version + 1, updated_at = ${now}`;

const setFlag =
  (name: 'archived' | 'favorite', value: number): NotesAction =>
  ({ isAllowed, keyName, now }) => {
    const column = sql.raw(name);
    const isDifferent = sql`${isAllowed} and ${isListed} and ${links}.${column} <> ${value}`;
    return [
      ...(LINK_SETTINGS[name].hasHistory ? recordChange(isDifferent, keyName, now) : []),
      sql`update ${links} set ${column} = ${value}, ${touch(now)} where ${isDifferent}`,
      ...recordLinkEvents('link.updated', isTouched(isAllowed, now), now, [name]),
    ];
  };

/** A link whose checks change is checked soon. */
const setWatch: NotesAction = ({ isAllowed, watch, keyName, now }) => {
  const isDifferent = sql`${isAllowed} and ${isListed} and ${links.watch} <> ${watch}`;
  return [
    ...recordChange(isDifferent, keyName, now),
    sql`update ${links} set watch = ${watch}, next_check_at = 0, ${touch(now)} where ${isDifferent}`,
    ...recordLinkEvents('link.updated', isTouched(isAllowed, now), now, ['watch']),
  ];
};

/** `isChanged` is true in SQL for a tag that the action adds to a link or removes from it. */
const setTags =
  (isChanged: SQL, write: (tags: SQL, isAllowed: SQL) => SQL): NotesAction =>
  ({ isAllowed, tags, keyName, now }) => {
    const isAffected = sql`${isAllowed} and ${isListed} and exists (select 1 from ${tags} as tag where ${isChanged})`;
    return [
      ...recordChange(isAffected, keyName, now),
      sql`update ${links} set ${touch(now)} where ${isAffected}`,
      write(tags, isAllowed),
      ...recordLinkEvents('link.updated', isTouched(isAllowed, now), now, ['tags']),
    ];
  };

const isTouched = (isAllowed: SQL, now: number): SQL =>
  sql`${isAllowed} and ${isListed} and ${links.updated_at} = ${now}`;

export const ACTIONS: Readonly<Record<LinkActionName, RedirectAction | NotesAction>> = {
  disable: {
    event: 'link.disabled',
    changed: ['status', 'statusReason'],
    isApplicable: isActive(),
    set: () => sql`status = 'disabled', disabled_by = 'owner', disabled_reason = null`,
    doneStatus: 'disabled',
    stops: true,
    namesHold: true,
  },
  enable: {
    event: 'link.updated',
    changed: ['status', 'statusReason'],
    isApplicable: sql`${links}.status = 'disabled' and ${isOwnersDisabling}`,
    set: () => sql`status = 'active', disabled_by = null, disabled_reason = null`,
    doneStatus: 'active',
    starts: true,
    namesHold: true,
  },
  set_end: {
    event: 'link.updated',
    // Records of the history have the state before the change.
    changed: (
      now,
    ) => sql`iif((select expires_at from ${link_changes} where link_id = ${links}.id and at = ${now}) <= ${now},
      '["status","expiresAt"]', '["expiresAt"]')`,
    isApplicable: sql`(${isActive()} or ${isOwnersDisabling}) and ${isListed}`,
    set: (expiresAt) => sql`expires_at = ${expiresAt}`,
    namesHold: true,
  },
  delete: {
    event: 'link.deleted',
    changed: ['status'],
    isApplicable: isListed,
    set: () => sql`status = 'deleted'`,
    stops: true,
  },
  restore: {
    // Receivers have deleted the link.
    event: 'link.created',
    changed: [],
    isApplicable: sql`${links}.released_at is null and ${links}.status = 'deleted' and ${links}.target <> '' and not ${isHeld()}`,
    // A link that its owner had disabled stays disabled; links on hold are excluded by
    // `isApplicable`. The external id is removed if another link has it by now.
    set: () => sql`status = iif(disabled_by = 'owner', 'disabled', 'active'),
      disabled_by = iif(disabled_by = 'owner', 'owner', null), disabled_reason = null,
      external_id = iif(exists (select 1 from ${links} as other where other.user_id = ${links}.user_id
        and other.external_id = ${links}.external_id and other.status <> 'deleted'), null, external_id)`,
    isFromTrash: true,
    starts: true,
  },
  archive: setFlag('archived', 1),
  unarchive: setFlag('archived', 0),
  favorite: setFlag('favorite', 1),
  unfavorite: setFlag('favorite', 0),
  set_watch: setWatch,
  add_tags: setTags(
    sql`not ${isTagged}`,
    (tags, isAllowed) => sql`insert or ignore into ${link_tags} (link_id, tag_id, link_created_at)
      select ${links}.id, tag.value, ${links}.created_at from ${links}, ${tags} as tag
      where ${isAllowed}`,
  ),
  remove_tags: setTags(
    isTagged,
    (tags, isAllowed) => sql`delete from ${link_tags} where tag_id in ${tags}
      and link_id in (select id from ${links} where ${isAllowed})`,
  ),
};
