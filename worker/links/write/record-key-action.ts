import { sql } from 'drizzle-orm';
import { HOUR_MS } from '#contract/time.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import {
  changedSettings,
  PUBLISHED,
  type PublishedSettings,
} from '#worker/links/settings/link-settings.ts';
import type { LinkActor, OwnLink } from '#worker/links/read/own-link.ts';

type ChangedFields = Pick<OwnLink, 'code' | 'target' | 'externalId' | 'status'> & PublishedSettings;

/** A program may change a link many times an hour; one audit entry in this time is enough. */
const ONCE_IN_MS = HOUR_MS;

/**
 * Returns the statements that write an audit entry when an API key changes or deletes a link, for
 * the batch of that change. Changes from a session are not logged. The entry names the changed
 * fields but not their values, because a target is the member's private data.
 */
export function recordKeyAction(
  db: Db,
  link: OwnLink,
  fields: ChangedFields & { version: number },
  { actor: { userId, keyName }, now }: { actor: LinkActor; now: number },
): Statement[] {
  if (keyName === null) return [];
  const action = fields.status === 'deleted' ? 'delete_link' : 'change_link';
  const subject = `link:${link.code}`;
  const after = {
    key: keyName,
    ...(action === 'change_link' ? { changed: changesOf(link, fields) } : {}),
  };
  const isDone = sql`exists (select 1 from ${links} where id = ${link.id} and version = ${fields.version} and updated_at = ${now})`;
  const isRecorded = sql`exists (select 1 from ${admin_log} where subject = ${subject} and action = ${action}
    and admin_id = ${userId} and after ->> '$.key' = ${keyName} and at > ${now - ONCE_IN_MS})`;
  return [
    recordAction(
      db,
      { at: now, adminId: userId, action, subject, after },
      sql`${isDone} and not ${isRecorded}`,
    ),
  ];
}

const AUDITED_FIELDS = {
  code: 'code',
  url: 'target',
  externalId: 'externalId',
  enabled: 'status',
} as const;

const changesOf = (link: OwnLink, fields: ChangedFields): string[] => [
  ...Object.entries(AUDITED_FIELDS).flatMap(([name, field]) =>
    fields[field] === link[field] ? [] : [name],
  ),
  ...changedSettings(link, fields, PUBLISHED),
];
