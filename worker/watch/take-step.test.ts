import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { makeInternet, type Internet } from '#worker/testing/destinations.ts';
import { takeStep, type CheckNetwork, type CheckStep } from './take-step.ts';

const NOW = Date.UTC(2026, 10, 26);

const networkOf = ({ fetcher, now }: Internet): CheckNetwork => ({
  policy: { ownHosts: ['hop.example'], shorteners: new Set(['sho.rt']) },
  own: { domains: ['hop.example'], allowed: new Set() },
  fetcher,
  userAgent: 'Hop-LinkCheck/1 (+https://hop.example/about#checks)',
  clock: () => now,
});

/** Takes all steps of a check, as many runs of the job do. */
async function check(internet: Internet, url: string) {
  let step: CheckStep = { url, method: 'HEAD', hops: 0 };
  for (;;) {
    const result = await takeStep(step, networkOf(internet));
    if (result.next === null) return result;
    step = result.next;
  }
}

const PAGE = 'https://page.example/a';
const to = (location: string, status = 302) =>
  new Response(null, { status, headers: { location } });

describe('takeStep', () => {
  it('asks with HEAD, and with GET where HEAD is not allowed', async () => {
    for (const status of [405, 501]) {
      const internet = makeInternet(NOW);
      internet.answers.set(PAGE, (method) =>
        method === 'HEAD' ? new Response(null, { status }) : new Response('x'.repeat(100_000)),
      );
      expect((await check(internet, PAGE)).outcome).toMatchObject({ kind: 'ok', status: 200 });
      expect(internet.sent.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
    }
  });

  it('ends the connection before it reads the body of a GET', async () => {
    const internet = makeInternet(NOW);
    const ended: unknown[] = [];
    let parts = 0;
    internet.answers.set(PAGE, () => {
      const pull = (body: ReadableStreamDefaultController<Uint8Array>) => {
        parts += 1;
        body.enqueue(new Uint8Array(64 * 1024));
      };
      const cancel = (reason: unknown) => {
        ended.push(reason);
        throw new Error('The connection broke.');
      };
      return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }));
    });
    const { outcome } = await takeStep({ url: PAGE, method: 'GET', hops: 0 }, networkOf(internet));
    expect(outcome).toMatchObject({ kind: 'ok', status: 200 });
    expect([parts, ended.length]).toEqual([0, 1]);
  });

  it('sends its own user agent with an address that explains it', async () => {
    const internet = makeInternet(NOW);
    const seen: unknown[] = [];
    const network = networkOf(internet);
    await takeStep(
      { url: PAGE, method: 'HEAD', hops: 0 },
      {
        ...network,
        fetcher: (url, init) => {
          if (url === PAGE) seen.push(init?.redirect, new Headers(init?.headers).get('User-Agent'));
          return network.fetcher(url, init);
        },
      },
    );
    expect(seen).toEqual(['manual', 'Hop-LinkCheck/1 (+https://hop.example/about#checks)']);
  });

  it('follows five redirects, and a sixth is a failure', async () => {
    const STATUSES = [301, 302, 303, 307, 308];
    const chain = (length: number): Internet => {
      const internet = makeInternet(NOW);
      for (let at = 0; at < length; at += 1)
        internet.answers.set(`https://page.example/${at}`, () => to(`/${at + 1}`, STATUSES[at]));
      return internet;
    };
    const start = 'https://page.example/0';
    expect((await check(chain(5), start)).outcome).toMatchObject({ kind: 'ok' });
    const tooLong = chain(6);
    expect((await check(tooLong, start)).outcome).toMatchObject({
      kind: 'failure',
      reason: 'redirects',
    });
    expect(tooLong.sent).toHaveLength(6);
  });

  it('asks with HEAD again after a redirect', async () => {
    const internet = makeInternet(NOW);
    internet.answers.set(PAGE, (method) =>
      method === 'HEAD' ? new Response(null, { status: 405 }) : to('/b'),
    );
    expect((await check(internet, PAGE)).outcome).toMatchObject({ kind: 'ok' });
    expect(internet.sent.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'HEAD']);
  });

  it.each([
    ['a private address', 'http://10.0.0.7/admin'],
    ['the address of cloud metadata', 'http://169.254.169.254/latest/meta-data'],
    ['a private host', 'http://printer.local/'],
    ['a host with a private address', 'https://inside.example/'],
    ['our own host', 'https://hop.example/api/me'],
    ['a host of our domain', 'https://internal.hop.example/'],
    ['another shortener', 'https://sho.rt/abc'],
    ['another scheme', 'file:///etc/passwd'],
    ['an address with credentials', 'https://ann:secret@page.example/'],
  ])('[T8] follows no redirect to %s', async (_, location) => {
    const internet = makeInternet(NOW);
    internet.addresses.set('inside.example', ['93.184.215.14', 'fd00::1']);
    internet.answers.set(PAGE, () => to(location));
    expect((await check(internet, PAGE)).outcome).toEqual({
      kind: 'unclear',
      reason: 'not_allowed',
      status: null,
    });
    expect(internet.sent.map(({ url }) => url)).toEqual([PAGE]);
  });

  it('a host without an address and a failed connection are failures', async () => {
    const internet = makeInternet(NOW);
    internet.addresses.set('page.example', []);
    expect((await check(internet, PAGE)).outcome).toMatchObject({ kind: 'failure', reason: 'dns' });
    internet.addresses.clear();
    internet.answers.set(PAGE, () => new TypeError('certificate expired'));
    const { outcome } = await check(internet, PAGE);
    expect(outcome).toMatchObject({ kind: 'failure', reason: 'connection' });
  });

  it('a timeout, a challenge and a resolver without an answer are unclear', async () => {
    const internet = makeInternet(NOW);
    for (const name of ['TimeoutError', 'AbortError']) {
      internet.answers.set(PAGE, () => new DOMException('late', name));
      expect((await check(internet, PAGE)).outcome).toMatchObject({ reason: 'timeout' });
    }
    const challenge = { status: 503, headers: { 'cf-mitigated': 'challenge' } };
    internet.answers.set(PAGE, () => new Response(null, challenge));
    const { outcome } = await check(internet, PAGE);
    expect(outcome).toMatchObject({ kind: 'unclear', reason: 'challenge' });
    const network = networkOf(internet);
    const silent = await takeStep(
      { url: PAGE, method: 'HEAD', hops: 0 },
      { ...network, fetcher: async () => new Response('busy', { status: 500 }) },
    );
    expect(silent.outcome).toMatchObject({ kind: 'unclear', reason: 'unresolved' });
  });

  it('reads Retry-After in seconds and as a date, up to 30 days', async () => {
    const retryAt = async (status: number, header: string) => {
      const internet = makeInternet(NOW);
      internet.answers.set(
        PAGE,
        () => new Response(null, { status, headers: { 'Retry-After': header } }),
      );
      return (await check(internet, PAGE)).retryAt;
    };
    expect(await retryAt(429, '120')).toBe(NOW + 120_000);
    expect(await retryAt(503, new Date(NOW + DAY_MS).toUTCString())).toBe(NOW + DAY_MS);
    expect(await retryAt(429, '999999999')).toBe(NOW + 30 * DAY_MS);
    expect(await retryAt(429, 'soon')).toBe(0);
    expect(await retryAt(200, '120')).toBe(0);
  });
});
