import { env } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import { call } from '#worker/testing/call.ts';
import { makeInternet, watchedState, watchLink } from '#worker/testing/destinations.ts';
import { makePerson } from '#worker/testing/make.ts';
import { databasesOf, withShards } from '#worker/testing/shards.ts';
import { findDueLinks } from './find-due.ts';

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
    ['watch_fallback', HOME, 1],
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
  const words = env.DB.prepare('SELECT words FROM links WHERE id = ?1').bind(id);
  expect(await words.first('words')).toContain('fallback');
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

it('asks the archive about one destination at a time, with a pause after it', async () => {
  const internet = makeInternet(Date.now());
  const person = await makePerson();
  const pages = ['https://archived-one.example/', 'https://archived-two.example/'];
  const last = { id: 0 };
  for (const page of pages) {
    internet.answers.set(page, () => new Response(null, { status: 404 }));
    Object.assign(last, await watchLink(person, page, internet.now, { fallback: 'archive' }));
  }
  const [, second = ''] = pages;
  const copy = { available: true, status: '200', url: `http://web.archive.org/web/2026/${second}` };
  internet.copies.set(second, { archived_snapshots: { closest: copy } });
  for (let runs = 0; runs < 3; runs += 1) {
    internet.now = Math.max(internet.now, (await watchedState(last.id))?.next_check_at ?? 0);
    await internet.run();
  }
  expect(await watchedState(last.id)).toMatchObject({ state: 'dead' });
  expect(internet.sent.filter(({ host }) => host === 'archive.org')).toHaveLength(1);
  const freeAt = env.DB.prepare("SELECT free_at FROM check_hosts WHERE host = 'archive.org'");
  expect(await freeAt.first('free_at')).toBe(internet.now + 10_000);
  internet.now += 10_000;
  await internet.run();
  expect(await watchedState(last.id)).toMatchObject({
    target: `https://web.archive.org/web/2026/${second}`,
  });
});

it('a destination that works again while its copy is looked up is not replaced', async () => {
  const internet = makeInternet(Date.now());
  await env.DB.exec('DELETE FROM check_hosts');
  const home = 'https://works-again.example/a';
  const { id } = await watchLink(await makePerson(), home, internet.now, { fallback: 'archive' });
  internet.answers.set(home, () => new Response(null, { status: 404 }));
  const copy = { available: true, status: '200', url: `http://web.archive.org/web/2026/${home}` };
  internet.copies.set(home, { archived_snapshots: { closest: copy } });
  const { fetcher } = internet;
  internet.fetcher = async (url, init) => {
    if (url.startsWith('https://archive.org/'))
      await env.DB.prepare("UPDATE link_health SET state = 'ok' WHERE link_id = ?1").bind(id).run();
    return fetcher(url, init);
  };
  for (let runs = 0; runs < 3; runs += 1) {
    internet.now = Math.max(internet.now, (await watchedState(id))?.next_check_at ?? 0);
    await internet.run();
  }
  expect(internet.sent.filter(({ host }) => host === 'archive.org')).toHaveLength(1);
  expect(await watchedState(id)).toMatchObject({ target: home, state: 'ok' });
});

it('a one-time address is not checked, and no later run says that it was', async () => {
  const internet = makeInternet(Date.now());
  const { id } = await watchLink(await makePerson(), 'https://once.example/?token=7', internet.now);
  const checkedAt = env.DB.prepare('SELECT checked_at FROM link_health WHERE link_id = ?').bind(id);
  await internet.run();
  const noted = internet.now;
  internet.now += DAY_MS;
  await internet.run();
  expect(await checkedAt.first('checked_at')).toBe(noted);
  expect(internet.sent.filter(({ host }) => host === 'once.example')).toEqual([]);
});

it('takes the checks first that have been due for the longest time', async () => {
  const internet = makeInternet(Date.now());
  const person = await makePerson();
  await env.DB.prepare("UPDATE links SET watch = 'off'").run();
  const later = await watchLink(person, 'https://due-later.example/', internet.now);
  const first = await watchLink(person, 'https://due-first.example/', internet.now);
  await env.DB.prepare('UPDATE links SET next_check_at = 9 WHERE id = ?1').bind(later.id).run();
  const [found, ...others] = await findDueLinks(openDb(env.DB), internet.now, 1);
  expect([found?.id, others]).toEqual([first.id, []]);
});

it('checks a link daily that is clicked, also if another database has its clicks', async () => {
  const internet = makeInternet(Date.now());
  await env.DB.prepare("UPDATE links SET watch = 'off'").run();
  const created = internet.now - 300 * DAY_MS;
  const { id } = await watchLink(await makePerson(), 'https://sharded.example/', created);
  await env.DB.prepare('UPDATE links SET shard = 1 WHERE id = ?1').bind(id).run();
  const sharded = await withShards(2);
  await databasesOf(sharded)[1]
    ?.prepare('INSERT INTO link_totals (link_id, last_at) VALUES (?1, ?2)')
    .bind(id, internet.now)
    .run();
  expect(await internet.run(sharded)).toMatchObject({ done: { destinations_checked: 1 } });
  const next = internet.now + DAY_MS;
  expect(await watchedState(id)).toMatchObject({ state: 'ok', next_check_at: next });
});

it('a run whose time is used up sends no request, and counts what is left', async () => {
  const internet = makeInternet(Date.now());
  await env.DB.prepare("UPDATE links SET watch = 'off'").run();
  await watchLink(await makePerson(), 'https://waits.example/', internet.now);
  const budget = { ...UNBOUNDED, canContinue: () => false };
  expect(await internet.run({}, budget)).toMatchObject({
    done: { destinations_checked: 0 },
    left: 1,
  });
  expect(internet.sent).toEqual([]);
});
