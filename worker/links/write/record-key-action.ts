import { sql, type SQL } from 'drizzle-orm';
import type { LinkActionName } from '#contract/links/link-actions.ts';
import { HOUR_MS } from '#contract/time.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import type { Statement } from '#worker/db/batch.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import {
  changedSettings,
  PUBLISHED,
  type PublishedSettings,
} from '#worker/links/settings/link-settings.ts';
import type { LinkActor, OwnLink } from '#worker/links/read/own-link.ts';

type AuditedFields = Pick<OwnLink, 'code' | 'target' | 'externalId' | 'status'> & PublishedSettings;

/** A program may change a link many times an hour; one audit entry in this time is enough. */
const ONCE_IN_MS = HOUR_MS;

/**
 * Returns the statements that write an audit entry if an API key changes or deletes a link and
 * `isDone` is true in SQL. Changes from a session are not logged. The entry names the changed
 * fields but not their values, because a target is the member's private data.
 */
export function recordKeyAction(
  link: OwnLink,
  fields: AuditedFields,
  recording: Recording,
): Statement[] {
  return fields.status === 'deleted'
    ? recordOnce(link.code, 'delete_link', {}, recording)
    : recordOnce(link.code, 'change_link', { changed: changesOf(link, fields) }, recording);
}

/** `recordKeyAction` for a change of the card of a link. */
export const recordKeyCard = (code: string, recording: Recording): Statement[] =>
  recordOnce(code, 'change_link', { changed: ['card'] }, recording);

type Recording = { actor: LinkActor; now: number; isDone: SQL };

function recordOnce(
  code: string,
  action: 'change_link' | 'delete_link',
  facts: object,
  { actor: { userId, keyName }, now, isDone }: Recording,
): Statement[] {
  if (keyName === null) return [];
  const subject = `link:${code}`;
  const after = { key: keyName, ...facts };
  const isRecorded = sql`exists (select 1 from ${admin_log} where subject = ${subject} and action = ${action}
    and admin_id = ${userId} and after ->> '$.key' = ${keyName} and at > ${now - ONCE_IN_MS})`;
  return [
    recordAction(
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

const changesOf = (link: OwnLink, fields: AuditedFields): string[] => [
  ...Object.entries(AUDITED_FIELDS).flatMap(([name, field]) =>
    fields[field] === link[field] ? [] : [name],
  ),
  ...changedSettings(link, fields, PUBLISHED),
];

/**
 * Returns the statement that writes one audit entry if an API key acts on many links and `isDone`
 * is true in SQL.
 */
export function recordKeyActions(
  { actor: { userId, keyName }, now, isDone }: Recording,
  name: LinkActionName,
  count: number,
): Statement[] {
  if (keyName === null || count === 0) return [];
  const after = { key: keyName, action: name, links: count };
  const entry = { at: now, adminId: userId, action: 'change_links' };
  return [recordAction({ ...entry, after }, isDone)];
}
