import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { EMBEDDED, mailsTo } from '#worker/testing/sign-in.ts';
import { mailUnreachable } from './mail-unreachable.ts';

const NOW = Date.now();
const db = openDb(env.DB);
const mail = (now = NOW, budget = UNBOUNDED) =>
  mailUnreachable({ ...env, ...EMBEDDED }, db, now, budget);

/** Inserts links of a member whose destinations are dead, the last one first. */
async function insertDead({ id }: Person, prefix: string, count: number): Promise<void> {
  const codes = JSON.stringify(Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`));
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO links (code, target, target_host, user_id, created_at, updated_at)
       SELECT value, 'https://e.test/' || value, 'e.test', ?1, 1, 1 FROM json_each(?2)`,
    ).bind(id, codes),
    env.DB.prepare(
      `INSERT INTO link_health (link_id, home, fallback, state, reason, status, fails, first_failed_at, since, checked_at)
       SELECT id, target, '', 'dead', 'status', 404, 3, 1, 1, 1 FROM links
       WHERE code IN (SELECT value FROM json_each(?1)) ORDER BY id DESC`,
    ).bind(codes),
  ]);
}
const told = async () =>
  (await env.DB.prepare('SELECT DISTINCT mailed_at AS at FROM link_health').all()).results.map(
    ({ at }) => at,
  );

beforeEach(() => env.DB.prepare('DELETE FROM link_health').run());

describe('mailUnreachable', () => {
  it('names the first 20 links in their order, and the number of the rest', async () => {
    const person = await makePerson();
    await insertDead(person, 'dead-', 21);
    expect(await mail()).toBe(1);
    const [{ subject, text } = { subject: '', text: '' }] = await mailsTo(person.email);
    expect(subject).toContain('21 destinations');
    const named = [...text.matchAll(/\/(dead-\d+) →/g)].map(([, code]) => code);
    expect(named).toEqual(Array.from({ length: 20 }, (_, at) => `dead-${at + 1}`));
    expect(text).toContain('and 1 more link');
    expect(await told()).toEqual([NOW]);
  });

  it('sends one mail a day, and another about what has died since', async () => {
    const person = await makePerson();
    await insertDead(person, 'first-', 1);
    expect([await mail(), await mail()]).toEqual([1, 0]);
    await insertDead(person, 'second-', 1);
    expect(await mail()).toBe(0);
    expect(await mail(NOW + DAY_MS)).toBe(1);
    expect(await mail(NOW + 2 * DAY_MS)).toBe(0);
    const mails = await mailsTo(person.email);
    expect(mails[0]?.subject).toContain('1 destination is unreachable');
    expect(mails[0]?.text).toContain('The link keeps redirecting');
    expect(mails[0]?.link).toMatch(/\/dashboard\?health=dead$/);
    expect(mails.map(({ text }) => [/first-1/.test(text), /second-1/.test(text)])).toEqual(
      expect.arrayContaining([
        [true, false],
        [false, true],
      ]),
    );
  });

  it('tells nobody who is suspended, and nothing once the budget is used up', async () => {
    const [suspended, person, nameless] = [
      await makePerson(),
      await makePerson(),
      await makePerson(),
    ];
    await env.DB.prepare('UPDATE users SET suspended_at = 1 WHERE id = ?1')
      .bind(suspended.id)
      .run();
    await insertDead(suspended, 'suspended-', 1);
    await env.DB.prepare("UPDATE users SET email = '' WHERE id = ?1").bind(nameless.id).run();
    await insertDead(nameless, 'nameless-', 1);
    await insertDead(person, 'later-', 1);
    expect(await mail(NOW, { ...UNBOUNDED, canContinue: () => false })).toBe(0);
    expect(await told()).toEqual([null]);
    expect(await mail()).toBe(1);
    expect(await mailsTo(suspended.email)).toEqual([]);
  });
});
