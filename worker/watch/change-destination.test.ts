import { env } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time.ts';
import { call } from '#worker/testing/call.ts';
import { makeInternet, watchedState, watchLink } from '#worker/testing/destinations.ts';
import { makePerson } from '#worker/testing/make.ts';

const HOME = 'https://home.example/a';
const FALLBACK = 'https://fallback.example/';

it('moderation still finds a variant with the destination that works again', async () => {
  const internet = makeInternet(Date.now());
  const { id } = await watchLink(await makePerson(), HOME, internet.now, { fallback: FALLBACK });
  const runUntil = async (target: string): Promise<void> => {
    for (let runs = 0; runs < 4 && (await watchedState(id))?.target !== target; runs += 1) {
      internet.now = Math.max(
        internet.now + MINUTE_MS,
        (await watchedState(id))?.next_check_at ?? 0,
      );
      await internet.run();
    }
    expect((await watchedState(id))?.target).toBe(target);
  };
  const isListed = () =>
    env.DB.prepare('SELECT count(*) AS n FROM link_destinations WHERE link_id = ?1 AND href = ?2')
      .bind(id, HOME)
      .first('n');
  for (const [column, value, expected] of [
    ['fallback_url', HOME, 1],
    ['rules', JSON.stringify([{ if: { country: ['BR'] }, to: HOME }]), 1],
    ['variants', JSON.stringify([{ url: HOME, weight: 30 }]), 1],
    ['variants', JSON.stringify([{ url: `${HOME}b`, weight: 30 }]), 0],
  ] as const) {
    internet.answers.set(HOME, () => new Response(null, { status: 404 }));
    await runUntil(FALLBACK);
    expect(await isListed()).toBe(1);
    await env.DB.prepare(
      `UPDATE links SET fallback_url = '', rules = '', variants = '', ${column} = ?2 WHERE id = ?1`,
    )
      .bind(id, value)
      .run();
    internet.answers.delete(HOME);
    await runUntil(HOME);
    expect(await isListed(), column).toBe(expected);
  }
});

it("the owner's change of the destination while a check runs wins", async () => {
  const internet = makeInternet(Date.now());
  const person = await makePerson();
  const home = 'https://another-home.example/a';
  const { id, code } = await watchLink(person, home, internet.now, { fallback: FALLBACK });
  internet.answers.set(home, () => new Response(null, { status: 404 }));
  const runWhenDue = async (): Promise<void> => {
    const due = (await watchedState(id))?.next_check_at ?? 0;
    internet.now = Math.max(internet.now + MINUTE_MS, due);
    await internet.run();
  };
  for (let runs = 0; runs < 3; runs += 1) await runWhenDue();
  expect(await watchedState(id)).toMatchObject({ target: FALLBACK });
  internet.answers.delete(home);
  const { fetcher } = internet;
  const longUrl = 'https://chosen.example/';
  internet.fetcher = async (url, init) => {
    const request = { method: 'PATCH', json: { longUrl }, headers: person.headers };
    if (url === home) expect((await call(`/api/links/${code}`, request)).status).toBe(200);
    return fetcher(url, init);
  };
  await runWhenDue();
  expect(await watchedState(id)).toMatchObject({ target: longUrl, next_check_at: 0 });
});

it('a first check stores nothing about a destination that is replaced meanwhile', async () => {
  const internet = makeInternet(Date.now());
  const home = 'https://replaced.example/a';
  const { id } = await watchLink(await makePerson(), home, internet.now);
  await env.DB.prepare('UPDATE links SET next_check_at = 0 WHERE id = ?1').bind(id).run();
  internet.answers.set(home, async () => {
    await env.DB.prepare('UPDATE links SET target = ?2 WHERE id = ?1').bind(id, FALLBACK).run();
    return new Response(null, { status: 404 });
  });
  await internet.run();
  expect(await watchedState(id)).toMatchObject({ state: null, next_check_at: 0 });
});
