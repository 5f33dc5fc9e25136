import { env } from 'cloudflare:test';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExportedLink } from '#contract/account/account.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import type { LinkHistory, ListedLink, MyLinksResponse } from '#contract/links/links.ts';
import type { V1Link } from '#contract/v1/v1.ts';
import { decodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { send, makeKey, type KeyHolder } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import {
  makeInternet,
  unwatchAll,
  watchedState,
  watchLink,
  type Internet,
} from '#worker/testing/destinations.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { checkProperty, PROPERTY_TIMEOUT } from '#worker/testing/soak.ts';
import { deliveriesOf, makeEndpoint } from '#worker/testing/webhooks.ts';
import { mailsTo, EMBEDDED } from '#worker/testing/sign-in.ts';
import { applyBlocklist } from '#worker/abuse/apply-blocklist.ts';
import { judge, type Health, type CheckOutcome } from './health.ts';

let serial = 0;
const START = Date.now();
/** A host that no other test uses. */
const newPage = (): string => `https://page-${++serial}.example/a`;
const gone = () => new Response(null, { status: 404 });

let person: Person;
beforeEach(async () => {
  await unwatchAll();
  await env.DB.prepare("DELETE FROM counters WHERE key LIKE '%check%'").run();
  person = await makePerson();
});

/** Runs the job when the next check of a link is due. */
async function runWhenDue(internet: Internet, id: number): Promise<void> {
  const state = await watchedState(id);
  internet.now = Math.max(internet.now + MINUTE_MS, state?.next_check_at ?? 0);
  await internet.run();
}

/** Runs the job until the destination of a link has failed three times in 24 hours. */
async function letDie(internet: Internet, id: number): Promise<void> {
  for (let at = 0; at < 3; at += 1) await runWhenDue(internet, id);
}

const edgeTarget = async (code: string) => decodeEdgeRecord((await env.LINKS.get(code)) ?? '');

describe('checkLinks', () => {
  it('checks a link in use daily, another monthly, an unused one never', async () => {
    const internet = makeInternet(START);
    const used = await watchLink(person, newPage(), START - DAY_MS);
    const idle = await watchLink(person, newPage(), START - 30 * DAY_MS);
    const unused = await watchLink(person, newPage(), START - 181 * DAY_MS);
    const clicked = await watchLink(person, newPage(), START - 181 * DAY_MS);
    await env.DB.prepare(
      'INSERT INTO link_totals (link_id, human, first_at, last_at) VALUES (?1, 1, ?2, ?2)',
    )
      .bind(clicked.id, START - DAY_MS)
      .run();
    const since = async (column: string): Promise<number> => {
      const { id } = await watchLink(person, newPage(), START - 181 * DAY_MS);
      const update = env.DB.prepare(`UPDATE links SET ${column} = ?2 WHERE id = ?1`);
      await update.bind(id, START - DAY_MS).run();
      return id;
    };
    const recent = [await since('target_changed_at'), await since('imported_at')];
    await internet.run();
    for (const id of recent)
      expect(await watchedState(id)).toMatchObject({ next_check_at: START + DAY_MS });
    expect(await watchedState(used.id)).toMatchObject({
      state: 'ok',
      status: 200,
      next_check_at: START + DAY_MS,
    });
    expect(await watchedState(idle.id)).toMatchObject({ next_check_at: START + 30 * DAY_MS });
    expect(await watchedState(clicked.id)).toMatchObject({ next_check_at: START + DAY_MS });
    expect(await watchedState(unused.id)).toMatchObject({ state: null });
    expect(internet.sent).toHaveLength(5);
  });

  it('leaves out links that are disabled, ended, locked or one-time', async () => {
    const internet = makeInternet(START);
    const [disabled, ended, locked] = [
      await watchLink(person, newPage(), START),
      await watchLink(person, newPage(), START),
      await watchLink(person, newPage(), START),
    ];
    const secret = `${newPage()}?token=abc`;
    const once = await watchLink(person, secret, START);
    const always = await watchLink(person, secret, START, { watch: 'always' });
    await env.DB.batch([
      env.DB.prepare("UPDATE links SET status = 'disabled' WHERE id = ?1").bind(disabled.id),
      env.DB.prepare('UPDATE links SET expires_at = ?2 WHERE id = ?1').bind(ended.id, START),
      env.DB.prepare("UPDATE links SET password_hash = 'x' WHERE id = ?1").bind(locked.id),
    ]);
    await internet.run();
    expect(internet.sent.map(({ url }) => url)).toEqual([secret]);
    expect(await watchedState(once.id)).toMatchObject({ state: 'unclear', reason: 'one_time' });
    expect(await watchedState(locked.id)).toMatchObject({ state: 'unclear', reason: 'password' });
    expect(await watchedState(always.id)).toMatchObject({ state: 'ok' });
    expect(await watchedState(ended.id)).toMatchObject({ state: null });
  });

  it('continues a check over several runs, and starts over for a new destination', async () => {
    const internet = makeInternet(START);
    const page = newPage();
    const { id } = await watchLink(person, page, START);
    internet.answers.set(page, () => Response.redirect(`${page}/b`, 301));
    await internet.run();
    expect(await watchedState(id)).toMatchObject({ state: null, next_check_at: START + 10_000 });
    const other = newPage();
    await env.DB.prepare('UPDATE links SET target = ?2 WHERE id = ?1').bind(id, other).run();
    internet.now += MINUTE_MS;
    await internet.run();
    expect(internet.sent.map(({ url }) => url)).toEqual([page, other]);
    expect(await watchedState(id)).toMatchObject({ state: 'ok' });
  });

  it('a changed destination and a changed mode are checked soon', async () => {
    const internet = makeInternet(START);
    const page = newPage();
    const { id, code } = await watchLink(person, page, START - DAY_MS);
    internet.answers.set(page, gone);
    await internet.run();
    expect(await watchedState(id)).toMatchObject({ state: 'suspect' });
    const patch = async (json: object) => {
      const { headers } = person;
      const response = await call(`/api/links/${code}`, { method: 'PATCH', json, headers });
      return response.json<ListedLink>();
    };
    expect((await patch({ longUrl: newPage() })).health).toBeNull();
    expect(await watchedState(id)).toMatchObject({ next_check_at: 0 });
    internet.now += MINUTE_MS;
    await internet.run();
    expect((await patch({ watch: 'always' })).health).toMatchObject({ state: 'ok' });
    expect(await watchedState(id)).toMatchObject({ next_check_at: 0 });
    expect((await patch({ watch: 'off' })).health).toBeNull();
    expect(await watchedState(id)).toMatchObject({ state: null });
  });

  it('sends one mail and one event for a dead destination, and one at recovery', async () => {
    const internet = makeInternet(START);
    const page = newPage();
    const endpoint = await makeEndpoint(person);
    const { id } = await watchLink(person, page, START);
    internet.answers.set(page, gone);
    const run = async () => {
      const state = await watchedState(id);
      internet.now = Math.max(internet.now + MINUTE_MS, state?.next_check_at ?? 0);
      await internet.run(EMBEDDED);
    };
    const mails = async () => (await mailsTo(person.email)).length;
    await run();
    await run();
    expect([(await watchedState(id))?.state, await mails()]).toEqual(['suspect', 0]);
    for (let at = 0; at < 4; at += 1) await run();
    expect([(await watchedState(id))?.state, await mails()]).toEqual(['dead', 1]);
    const [mail] = await mailsTo(person.email);
    expect(mail?.text).toContain(`${page}: The destination answered 404.`);
    internet.answers.delete(page);
    await run();
    const events = await deliveriesOf(endpoint);
    expect(events.map(({ type }) => type)).toEqual(['link.unreachable', 'link.recovered']);
    expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({
      watch: 'on',
      health: { state: 'dead', status: 404 },
    });
    expect(await mails()).toBe(1);
    // A destination that dies again is told again.
    internet.answers.set(page, gone);
    for (let at = 0; at < 3; at += 1) await run();
    expect([(await watchedState(id))?.state, await mails()]).toEqual(['dead', 2]);
  });

  it('lists dead destinations by the filter, and in an export', async () => {
    const internet = makeInternet(START);
    const holder = await makeKey();
    const page = newPage();
    internet.answers.set(page, gone);
    const dead = await watchLink(holder.person, page, START);
    await watchLink(holder.person, newPage(), START);
    await letDie(internet, dead.id);
    const { headers } = holder.person;
    const list = await call('/api/my-urls?health=dead', { headers });
    const { urls } = await list.json<MyLinksResponse>();
    expect(urls.map(({ short_code }) => short_code)).toEqual([dead.code]);
    expect(urls[0]?.health).toMatchObject({
      state: 'dead',
      detail: 'The destination answered 404.',
    });
    const file = await call('/api/account/links?format=json', { headers });
    const exported = await file.json<ExportedLink[]>();
    expect(exported.map(({ health }) => health?.state)).toEqual(['dead', 'ok']);
    const codesOf = async (query: string) => {
      const page1 = await send(holder, `GET /links?${query}`);
      return (await page1.json<{ data: V1Link[] }>()).data.map(({ code }) => code);
    };
    expect(await codesOf('health=dead')).toEqual([dead.code]);
    expect(await codesOf('health=suspect')).toEqual([]);
    const action = await send(holder, 'POST /links/actions', {
      json: { action: 'archive', filter: { health: 'dead' }, dryRun: true },
    });
    expect(await action.json()).toMatchObject({ matched: 1 });
  });
});

describe('fallback', () => {
  const historyOf = async (holder: KeyHolder | { person: Person }, code: string) => {
    const { headers } = holder.person;
    const response = await call(`/api/links/${code}/history`, { headers });
    return (await response.json<LinkHistory>()).changes.map((change) => [
      change.isByWatcher,
      change.before.long_url,
      change.after.long_url,
    ]);
  };

  it('an address replaces a dead destination by a version of Hop, until it works', async () => {
    const internet = makeInternet(START);
    const [home, fallback] = [newPage(), newPage()];
    internet.answers.set(home, gone);
    const endpoint = await makeEndpoint(person);
    const { id, code } = await watchLink(person, home, START, { fallback });
    await letDie(internet, id);
    const changedAt = env.DB.prepare('SELECT target_changed_at FROM links WHERE id = ?').bind(id);
    expect(await changedAt.first('target_changed_at')).toBe(internet.now);
    const events = await deliveriesOf(endpoint);
    expect(events.map(({ type, data }) => [type, JSON.parse(data).changed])).toEqual([
      ['link.unreachable', []],
      ['link.updated', ['url']],
    ]);
    expect(await watchedState(id)).toMatchObject({ target: fallback, fallback, version: 2 });
    expect(await edgeTarget(code)).toMatchObject({ v: 2, u: fallback });
    const { headers } = person;
    const link = await (await call(`/api/links/${code}`, { headers })).json<ListedLink>();
    expect(link.health).toMatchObject({ state: 'dead', replacedUrl: home });
    await runWhenDue(internet, id);
    expect(await watchedState(id)).toMatchObject({ target: fallback, version: 2 });
    internet.answers.delete(home);
    await runWhenDue(internet, id);
    expect(await watchedState(id)).toMatchObject({ target: home, fallback: '', version: 3 });
    expect(await edgeTarget(code)).toMatchObject({ v: 3, u: home });
    expect(await historyOf({ person }, code)).toEqual([
      [true, fallback, home],
      [true, home, fallback],
    ]);
  });

  it("the owner's change in between wins and is kept", async () => {
    const internet = makeInternet(START);
    const [home, fallback, chosen] = [newPage(), newPage(), newPage()];
    internet.answers.set(home, gone);
    const { id, code } = await watchLink(person, home, START, { fallback });
    await letDie(internet, id);
    const { headers } = person;
    const change = (longUrl: string) =>
      call(`/api/links/${code}`, { method: 'PATCH', json: { longUrl }, headers });
    expect((await change(chosen)).status).toBe(200);
    internet.answers.delete(home);
    await runWhenDue(internet, id);
    expect(await watchedState(id)).toMatchObject({ target: chosen, fallback: '', state: 'ok' });

    // The dead destination, chosen again, stays.
    internet.answers.set(chosen, gone);
    await letDie(internet, id);
    expect(await watchedState(id)).toMatchObject({ target: fallback });
    expect((await change(chosen)).status).toBe(200);
    await runWhenDue(internet, id);
    expect(await watchedState(id)).toMatchObject({ target: chosen, state: 'dead' });
  });

  it('the archived copy is looked up when the destination dies, with status 200', async () => {
    const internet = makeInternet(START);
    const home = newPage();
    internet.answers.set(home, gone);
    const { id } = await watchLink(person, home, START, { fallback: 'archive' });
    const copy = { available: true, url: `http://web.archive.org/web/2026/${home}` };
    internet.copies.set(home, { archived_snapshots: { closest: { ...copy, status: '404' } } });
    await letDie(internet, id);
    expect(await watchedState(id)).toMatchObject({ target: home, state: 'dead' });
    const evil = { ...copy, status: '200', url: 'https://evil.example/web/' };
    internet.copies.set(home, { archived_snapshots: { closest: evil } });
    await runWhenDue(internet, id);
    expect(await watchedState(id)).toMatchObject({ target: home });
    internet.copies.set(home, { archived_snapshots: { closest: { ...copy, status: '200' } } });
    await runWhenDue(internet, id);
    expect(await watchedState(id)).toMatchObject({
      target: `https://web.archive.org/web/2026/${home}`,
    });
  });

  it('a blocked destination causes no fallback, and no link returns to it', async () => {
    const internet = makeInternet(START);
    const [home, other, fallback] = [newPage(), newPage(), newPage()];
    for (const page of [home, other]) internet.answers.set(page, gone);
    const swapped = await watchLink(person, home, START, { fallback });
    await letDie(internet, swapped.id);
    const stays = await watchLink(person, other, START, { fallback });
    await runWhenDue(internet, stays.id);
    await runWhenDue(internet, stays.id);
    const block = env.DB.prepare(
      "INSERT INTO blocklist (value, kind, reason, created_at) VALUES (?1, 'host', 'test', 1)",
    );
    const hosts = [home, other].map((page) => new URL(page).hostname);
    await env.DB.batch(hosts.map((host) => block.bind(host)));
    await runWhenDue(internet, stays.id);
    expect(await watchedState(stays.id)).toMatchObject({ target: other, state: 'dead' });
    internet.answers.delete(home);
    await runWhenDue(internet, swapped.id);
    expect(await watchedState(swapped.id)).toMatchObject({ target: fallback, state: 'ok' });
    // Moderation finds the link by its own destination, which the fallback replaces.
    await applyBlocklist(env, internet.now);
    const status = env.DB.prepare('SELECT status FROM links WHERE id = ?1').bind(swapped.id);
    expect(await status.first('status')).toBe('disabled');
  });

  it('a fallback passes the link policy', async () => {
    const { headers } = person;
    const { code } = await watchLink(person, newPage(), START);
    const response = await call(`/api/links/${code}`, {
      method: 'PATCH',
      json: { watchFallback: 'http://10.0.0.1/' },
      headers,
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'invalid_target', field: 'watchFallback' },
    ]);
  });
});

describe('limits', () => {
  it('1,000 links to one host cause one request per 10 s, with two jobs at once', async () => {
    const internet = makeInternet(START);
    internet.durationMs = 4_000;
    const host = `crowd-${++serial}.example`;
    await env.DB.prepare(
      `INSERT INTO links (code, target, target_host, user_id, watch, created_at, updated_at)
       SELECT 'crowd-' || value, 'https://${host}/' || value, '${host}', ?1, 'on', ?2, ?2
       FROM json_each(?3)`,
    )
      .bind(person.id, START, JSON.stringify(Array.from({ length: 1_000 }, (_, at) => at)))
      .run();
    // A link of another host that is due last does not wait for them.
    const other = await watchLink(person, newPage(), START);
    await env.DB.prepare('UPDATE links SET next_check_at = 1 WHERE id = ?1').bind(other.id).run();
    for (let run = 0; run < 30; run += 1) {
      await Promise.all([internet.run(), internet.run()]);
      internet.now += 7_000;
    }
    const times = internet.sent.filter((request) => request.host === host);
    expect(times.length).toBeGreaterThan(8);
    for (const [at, { at: begin }] of times.entries())
      if (at > 0) expect(begin - (times[at - 1]?.until ?? 0)).toBeGreaterThanOrEqual(10_000);
    expect(await watchedState(other.id)).toMatchObject({ state: 'ok' });
    expect(new Set(times.map(({ url }) => url)).size).toBe(times.length);
  });

  it('keeps Retry-After for all links of the host', async () => {
    const internet = makeInternet(START);
    const page = newPage();
    const busy = { status: 429, headers: { 'Retry-After': '7200' } };
    internet.answers.set(page, () => new Response(null, busy));
    await watchLink(person, page, START);
    await internet.run();
    await watchLink(person, `${page}/b`, START);
    internet.now += HOUR_MS;
    await internet.run();
    expect(internet.sent).toHaveLength(1);
    internet.now += HOUR_MS + MINUTE_MS;
    await internet.run();
    expect(internet.sent).toHaveLength(2);
  });

  it('starts no more checks than a day allows, half of them for one account', async () => {
    const [internet, limit] = [makeInternet(START), { LINK_CHECKS_PER_DAY: '4' }];
    for (let at = 0; at < 3; at += 1) {
      await watchLink(person, newPage(), START);
      await internet.run(limit);
    }
    for (const one of [await makePerson(), await makePerson()])
      for (let at = 0; at < 2; at += 1) await watchLink(one, newPage(), START);
    const result = await internet.run(limit);
    expect(internet.sent).toHaveLength(4);
    const ends = env.DB.prepare("SELECT min(expires_at) FROM counters WHERE key LIKE '%checks:%'");
    expect([await ends.raw(), result.left]).toEqual([[[(dayNumber(START) + 2) * DAY_MS]], 2]);
    internet.now += MINUTE_MS;
    await internet.run(limit);
    expect(internet.sent).toHaveLength(4);
    internet.now = (dayNumber(START) + 1) * DAY_MS;
    await internet.run(limit);
    expect(internet.sent).toHaveLength(7);
  });

  it('sends six requests in a run on the free plan', async () => {
    const internet = makeInternet(START);
    for (let at = 0; at < 8; at += 1) await watchLink(person, newPage(), START);
    expect(await internet.run({ WORKERS_PLAN: 'free' })).toMatchObject({ left: 2 });
    expect(internet.sent).toHaveLength(6);
  });
});

describe('stored states', () => {
  const answers: Readonly<Record<CheckOutcome['kind'], () => Response>> = {
    ok: () => new Response(''),
    failure: gone,
    unclear: () => new Response(null, { status: 403 }),
  };
  const kinds = fc.array(
    fc.constantFrom<CheckOutcome['kind']>('ok', 'failure', 'failure', 'unclear'),
    {
      minLength: 1,
      maxLength: 9,
    },
  );

  it(
    'stored states are those of the state machine, and destinations follow them',
    { timeout: PROPERTY_TIMEOUT },
    async () => {
      await checkProperty(
        'stored health',
        fc.asyncProperty(kinds, async (steps) => {
          await unwatchAll();
          const internet = makeInternet(START);
          const [home, fallback] = [newPage(), newPage()];
          const { id } = await watchLink(person, home, START, { fallback });
          let health: Health | null = null;
          for (const kind of steps) {
            internet.answers.set(home, answers[kind]);
            await runWhenDue(internet, id);
            const outcome: CheckOutcome = { kind, reason: 'status', status: 1 };
            health = judge(health, outcome, internet.now);
            expect(await watchedState(id)).toMatchObject({
              state: health.state,
              fails: health.fails,
              target: health.state === 'dead' ? fallback : home,
            });
          }
        }),
        4,
      );
    },
  );
});
