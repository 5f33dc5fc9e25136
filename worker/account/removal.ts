import { accountDeletion } from '#worker/auth/account.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { noteForPublishing } from '#worker/links/outbox.ts';
import {
  disownLinks,
  emptyDeletedLinks,
  forgetHolds,
  forgetPerson,
  linksOf,
  readLinks,
  refuseLastAdmin,
  removeLinks,
} from './store.ts';

export type Removal = { ok: true; removedLinks: number[] } | { ok: false; reason: 'last_admin' };

/**
 * Deletes a person's account in one atomic batch: sign-in and sessions, personal data, drafts. Their links either stop
 * working (`remove`) or work on without an owner (`keep`). Tokens that outlive the account are refused from now on.
 * What stays: click counts and published posts without a name, and the admin log under `pseudonym`: a random one, so that
 * nothing leads from it to the person.
 * Returns the ids of the links that stopped: publish them.
 */
export async function removeAccount(
  db: Db,
  person: { id: string; email: string },
  keepLinks: boolean,
  pseudonym: string,
  now: number,
): Promise<Removal> {
  const { id, email } = person;
  const before = keepLinks ? [] : await readLinks(db, id);
  try {
    await runBatch(db, [
      refuseLastAdmin(id),
      ...(keepLinks ? [] : [removeLinks(id, now), noteForPublishing(db, linksOf(id), now)]),
      emptyDeletedLinks(id),
      forgetHolds(id),
      disownLinks(id),
      ...forgetPerson(id, email, pseudonym),
      ...accountDeletion(db, id, now),
    ]);
  } catch (error) {
    if (error instanceof Error && error.message.includes('malformed JSON')) return { ok: false, reason: 'last_admin' };
    throw error;
  }
  return { ok: true, removedLinks: before.filter(({ link }) => link.status !== 'deleted').map(({ link }) => link.id) };
}
