import { env } from 'cloudflare:test';
import { desc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { AdminLogResponse } from '#contract/moderation/admin.ts';
import { deleteAccount } from '#worker/account/delete-account.ts';
import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { users } from '#worker/db/schema-users.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { listDecisions } from './list-audit-log.ts';
import { recordAction } from './record-action.ts';

const db = openDb(env.DB);

/** A person with this address. Other addresses in this file may end with it or contain it. */
async function withAddress(email: string): Promise<Person> {
  const person = await makePerson();
  await db.update(users).set({ email }).where(eq(users.id, person.id));
  return { ...person, email };
}

async function record(
  reason: string,
  more: { adminId?: string; subject?: string; after?: unknown } = {},
): Promise<number> {
  await runBatch(db, [
    recordAction({ at: 1, adminId: 'system', action: 'x', subject: 'clicks', reason, ...more }),
  ]);
  return (await db.select().from(admin_log).orderBy(desc(admin_log.id)).get())?.id ?? 0;
}

const stored = (id: number) => db.select().from(admin_log).where(eq(admin_log.id, id)).get();
const label = () => `deleted-${crypto.randomUUID()}`;
const remove = ({ id, email }: Person, name: string) =>
  deleteAccount(db, {
    user: { id, email },
    links: 'remove',
    label: name,
    secret: 's'.repeat(32),
    now: 1,
  });

describe('listDecisions', () => {
  it('returns the newest entries about these subjects, and no more than asked for', async () => {
    const ids: number[] = [];
    for (const subject of ['link:a', 'link:b', 'link:a', 'link:c', 'link:b'])
      ids.push(await record('', { subject }));
    const found = await listDecisions(db, ['link:a', 'link:b'], 3);
    expect(found.map(({ id }) => id)).toEqual([ids[4], ids[2], ids[1]]);
    expect(found[0]).toMatchObject({ before: null, after: null, reason: '' });
  });

  it('shows the administrator and the person that an entry is about', async () => {
    const [admin, person] = [await makePerson(), await makePerson()];
    await record('', { adminId: admin.id, subject: `user:${person.id}` });
    expect(await listDecisions(db, [`user:${person.id}`], 1)).toMatchObject([
      { adminEmail: admin.email, subjectEmail: person.email },
    ]);
  });
});

describe('reasons in the audit log', () => {
  it('[T62] reasons name people by reference, and show their present address', async () => {
    const admin = await makePerson({ role: 'admin' });
    const ann = await withAddress('ann.audit@example.com');
    const id = await record('Reported by Ann.Audit@example.com, seen by nobody@example.com.');
    expect((await stored(id))?.reason).toBe(
      `Reported by user:${ann.id}, seen by nobody@example.com.`,
    );
    await db.update(users).set({ email: 'ann.new@example.com' }).where(eq(users.id, ann.id));
    const read = async (q: string) =>
      (
        await (
          await call(`/api/admin?action=log&q=${encodeURIComponent(q)}`, { headers: admin.headers })
        ).json<AdminLogResponse>()
      ).entries;
    const reason = 'Reported by ann.new@example.com, seen by nobody@example.com.';
    expect(await read('Ann.New@example.com')).toMatchObject([{ id, reason }]);
    expect(await read('ann.audit@example.com')).toEqual([]);
    expect(await read('n.new@example.com')).toEqual([]);
    await db.update(users).set({ email: '' }).where(eq(users.id, ann.id));
    expect((await listDecisions(db, ['clicks'], 1))[0]?.reason).toContain(
      `by user:${ann.id}, seen`,
    );
  });

  it('[T62] reasons accept as many addresses as fit', async () => {
    const ann = await withAddress('a@b.example');
    const id = await record('a@b.example '.repeat(80));
    expect((await stored(id))?.reason).toBe(`user:${ann.id} `.repeat(80));
  });
});

describe('deleting an account', () => {
  it('[T62] deleting an account leaves what the log says about other addresses', async () => {
    const short = await withAddress('min@hop.example');
    const long = await withAddress('admin@hop.example');
    const texts = [
      'Reported by admin@hop.example',
      'Reported by admin@hop.example.org',
      "Reported by o'min@hop.example",
      'Reported by a+min@hop.example, x.min@hop.example and min@hop.example-x.com',
    ];
    const ids: number[] = [];
    for (const text of texts) ids.push(await record(text));
    const old = await db
      .insert(admin_log)
      .values(
        texts.map((reason) => ({
          at: 1,
          admin_id: 'system',
          action: 'x',
          subject: 'clicks',
          reason,
        })),
      )
      .returning();
    const name = label();
    expect((await remove(short, name)).ok).toBe(true);
    expect((await stored(ids[0] ?? 0))?.reason).toBe(`Reported by user:${long.id}`);
    for (const [at, text] of texts.entries()) {
      if (at > 0) expect((await stored(ids[at] ?? 0))?.reason).toBe(text);
      expect((await stored(old[at]?.id ?? 0))?.reason).toBe(text);
    }
  });

  it('[T62] puts the label in place of the person in old and new entries', async () => {
    const ann = await withAddress('ann.gone@hop.example');
    const entry = { admin_id: ann.id, subject: `user:${ann.id}` };
    const [old] = await db
      .insert(admin_log)
      .values({
        ...entry,
        at: 1,
        action: 'x',
        before: JSON.stringify({ reason: "by 'Ann.Gone@hop.example'." }),
        after: JSON.stringify({ key: 'of ann.gone@hop.example' }),
        reason: `<ann.gone@hop.example>, user:${ann.id}`,
      })
      .returning();
    const fresh = await record('Asked by ann.gone@hop.example.', {
      adminId: ann.id,
      subject: `user:${ann.id}`,
    });
    const other = await record('About a host', { subject: `host:${ann.id}.example.com` });
    const name = label();
    expect((await remove(ann, name)).ok).toBe(true);
    expect(await stored(old?.id ?? 0)).toMatchObject({
      admin_id: name,
      subject: `user:${name}`,
      before: JSON.stringify({ reason: `by '${name}'.` }),
      after: JSON.stringify({ key: `of ${name}` }),
      reason: `<${name}>, user:${name}`,
    });
    expect(await stored(fresh)).toMatchObject({
      admin_id: name,
      subject: `user:${name}`,
      reason: `Asked by user:${name}.`,
    });
    expect((await stored(other))?.subject).toBe(`host:${ann.id}.example.com`);
  });

  it('[T62] changes nothing in the log if the account stays', async () => {
    const last = await withAddress('last@hop.example');
    await db.update(users).set({ suspended_at: 1 }).where(eq(users.id, last.id));
    const [old] = await db
      .insert(admin_log)
      .values({
        at: 1,
        admin_id: last.id,
        action: 'x',
        subject: `user:${last.id}`,
        reason: 'by last@hop.example',
      })
      .returning();
    expect((await remove(last, label())).ok).toBe(false);
    expect(await stored(old?.id ?? 0)).toEqual(old);
  });
});
