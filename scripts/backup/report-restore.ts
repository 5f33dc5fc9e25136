import type { DeletedAgain } from '#worker/backup/deleted-accounts.ts';
import type { KeptDecisions } from '#worker/backup/keep-decisions.ts';
import type { Reconciled } from '#worker/backup/reconcile-edge.ts';
import type { RestoreResult } from '#worker/backup/restore-backup.ts';

type Restored = Extract<RestoreResult, { ok: true }>;

export function reportRestore(result: Restored): string[] {
  const { rows, copiedAt, skipped, kept, hasAdmin } = result;
  return [
    `Restored ${rows} rows of the copy that was begun at ${new Date(copiedAt).toISOString()}. ${reportEdge(result)}`,
    ...reportDeletions(result),
    ...reportKept(kept),
    ...(skipped.length > 0
      ? [`Not restored, because they are no tables of Hop's backups: ${skipped.join(', ')}.`]
      : []),
    ...(kept.wasEmpty ? [cannotKnow('The database was empty', result.list)] : []),
    ...(hasAdmin
      ? []
      : ['Nobody is an administrator. `npm run admin -- claim` prints a link that makes one.']),
  ];
}

export function reportEdge({ lost, changed, stopped, hosts }: Reconciled): string {
  const sentences = [`${changed} edge records were brought up to date.`];
  if (stopped > 0) sentences.push(`${stopped} links that were disabled or deleted later stay so.`);
  if (lost > 0) sentences.push(`${lost} codes of later links answer 404 and are given to nobody.`);
  if (hosts > 0)
    sentences.push(
      `${hosts} hosts that a domain had lost, or whose domain was suspended later, stay so.`,
    );
  return sentences.join(' ');
}

export const reportDeletions = ({ deletedAccounts, list }: DeletedAgain): string[] => [
  ...(deletedAccounts > 0
    ? [`${deletedAccounts} accounts that were deleted after the copy stay deleted.`]
    : []),
  ...(list === 'unverified'
    ? [
        'The list of deleted accounts in the bucket was not used, because its signature does not match: it was changed, or it was signed with another AUTH_SECRET.',
      ]
    : []),
];

function reportKept({
  suspended,
  demoted,
  keys,
  webhooks,
  passkeys,
  identities,
  shared,
  mails,
  domains,
  hosts,
  blocked,
  logged,
}: KeptDecisions): string[] {
  const sentences: [number, string][] = [
    [suspended, 'accounts that were suspended after the copy stay suspended.'],
    [demoted, 'administrators that were demoted after the copy stay demoted.'],
    [keys, 'API keys that were revoked after the copy stay revoked.'],
    [webhooks, 'webhooks that were removed after the copy stay removed.'],
    [passkeys, 'passkeys that were removed after the copy stay removed.'],
    [identities, 'company accounts that were disconnected after the copy stay disconnected.'],
    [shared, 'reports whose sharing was stopped after the copy stay stopped.'],
    [mails, 'weekly mails that were stopped after the copy stay stopped.'],
    [domains, 'domains have the owner and the status that they had after the copy.'],
    [hosts, 'hosts that left their domain after the copy do not return to it.'],
    [blocked, 'later entries of the blocklist were kept.'],
    [logged, 'later entries of the audit log were kept.'],
  ];
  return sentences.flatMap(([count, sentence]) => (count > 0 ? [`${count} ${sentence}`] : []));
}

/** States what a restored database cannot tell. `because` begins the sentence. */
export const cannotKnow = (
  because: string,
  list: DeletedAgain['list'],
): string => `${because}, so nothing decided after the copy is known. As in the copy are:
- suspensions and the administrators
- API keys, passkeys, company accounts, webhooks and shared reports, with those that were ended since
- passwords, with those that a thief knew and the owner has replaced since
- authenticator apps, with recovery codes that were used since
${list === 'used' ? '' : '- accounts that were deleted since\n'}- the blocklist, the audit log and who gets the weekly mail.
Decide again what you know of. docs/operations.md#after-a-restore-into-an-empty-database has the steps.`;
