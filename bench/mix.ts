import type { Answer, Send, Sent } from './server.ts';

export type Kind = 'human' | 'bot' | 'prefetch';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Records requests and responses. `start` holds the clicks that were counted before the run. */
export class Tally {
  /** How often each unexpected response occurred. */
  readonly failed = new Map<string, number>();
  readonly #sent: Map<string, Record<Kind, number>>;
  readonly #latencies: number[] = [];
  readonly #answers = new Map<string, number>();

  constructor(start: ReadonlyMap<string, Readonly<Record<Kind, number>>> = new Map()) {
    this.#sent = new Map([...start].map(([code, counts]) => [code, { ...counts }]));
  }

  /** Records the redirect of `code`. Only a 302 is a click that must be counted. */
  recordRedirect(code: string, kind: Kind, answer: Answer, ms: number): void {
    this.#latencies.push(ms);
    if (!this.expect('redirect', answer, [302])) return;
    const counts = this.of(code);
    counts[kind]++;
    this.#sent.set(code, counts);
  }

  /**
   * Records a response and returns whether its status is expected. A 503 with Retry-After is not a
   * failure.
   */
  expect(what: string, answer: Answer, expected: readonly number[]): boolean {
    const name = `${what} ${answer.status}`;
    this.#answers.set(name, (this.#answers.get(name) ?? 0) + 1);
    if (expected.includes(answer.status)) return true;
    if (answer.status !== 503 || answer.headers['retry-after'] === undefined) {
      const message = `${name} ${answer.body.slice(0, 120)}`;
      this.failed.set(message, (this.failed.get(message) ?? 0) + 1);
    }
    return false;
  }

  of(code: string): Record<Kind, number> {
    return this.#sent.get(code) ?? { human: 0, bot: 0, prefetch: 0 };
  }

  sum(kind: Kind): number {
    return [...this.#sent.values()].reduce((sum, counts) => sum + counts[kind], 0);
  }

  /** Returns the latency in ms that `share` of the redirects do not exceed. */
  latency(share: number): number {
    return Math.round(
      this.#latencies.toSorted((a, b) => a - b)[Math.floor(share * (this.#latencies.length - 1))] ??
        0,
    );
  }

  summary(): string {
    return [...this.#answers]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, n]) => `${n} ${name}`)
      .join(', ');
  }

  failures(): string {
    return [...this.failed]
      .slice(0, 5)
      .map(([message, n]) => `\n        ${n} times ${message}`)
      .join('');
  }
}

/** Of ten clicks, seven are human, two are from crawlers and one is a prefetch. */
export function kindOf(n: number): Kind {
  return n % 10 < 7 ? 'human' : n % 10 < 9 ? 'bot' : 'prefetch';
}

export function redirectOf(n: number): Sent {
  const kind = kindOf(n);
  return {
    headers: {
      'User-Agent': kind === 'bot' ? CRAWLER : BROWSER,
      'CF-Connecting-IP': `198.51.100.${n % 250}`,
      ...(kind === 'prefetch' ? { 'Sec-Purpose': 'prefetch' } : {}),
    },
  };
}

/** Request `n` comes from its own network, so that no rate limit applies. */
const from = (n: number): Record<string, string> => ({
  'CF-Connecting-IP': `2001:db8:${(n >> 16).toString(16)}:${(n & 65_535).toString(16)}::1`,
});

/** Malformed requests with the statuses that they must get. */
const MALFORMED: readonly { path: string; sent: Sent; expected: readonly number[] }[] = [
  {
    path: '/api/shorten',
    sent: { method: 'POST', headers: JSON_TYPE, body: '{"longUrl":' },
    expected: [400],
  },
  {
    path: '/api/shorten',
    sent: { method: 'POST', headers: JSON_TYPE, body: '[]' },
    expected: [400],
  },
  {
    path: '/api/shorten',
    sent: { method: 'POST', headers: JSON_TYPE, body: '{"longUrl":"javascript:alert(1)"}' },
    expected: [400],
  },
  {
    path: '/api/shorten',
    sent: { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}' },
    expected: [415],
  },
  {
    path: '/api/shorten',
    sent: { method: 'POST', headers: JSON_TYPE, body: `{"longUrl":"${'x'.repeat(20_000)}"}` },
    expected: [413],
  },
  {
    path: '/api/shorten',
    sent: { method: 'POST', headers: JSON_TYPE, body: '['.repeat(10_000) },
    expected: [400],
  },
  { path: '/api/my-urls', sent: { headers: { Authorization: 'Bearer x.y.z' } }, expected: [401] },
  { path: '/api/shorten', sent: { method: 'PATCH' }, expected: [405] },
  { path: '/api/none', sent: {}, expected: [404] },
  { path: '/%ff%fe', sent: {}, expected: [400, 404] },
  { path: '/%00', sent: {}, expected: [400, 404] },
  { path: `/${'a'.repeat(4_000)}`, sent: {}, expected: [404, 414] },
  { path: '/..%2f..%2fetc%2fpasswd', sent: {}, expected: [400, 404] },
];

/** `made` maps the links created so far to their targets. */
export type Mix = {
  codes: readonly string[];
  token: string;
  tally: Tally;
  made: Map<string, string>;
};

export async function sendMixed(
  send: Send,
  n: number,
  { codes, token, tally, made }: Mix,
): Promise<void> {
  const code = codes[(n * 7919) % codes.length] ?? '';
  const slot = n % 20;
  if (slot < 12) {
    const began = performance.now();
    const answer = await send(`/${code}`, redirectOf(n));
    tally.recordRedirect(code, kindOf(n), answer, performance.now() - began);
  } else if (slot < 14) {
    tally.expect('miss', await send(`/no${n}-such`, { headers: from(n) }), [404]);
  } else if (slot < 16) {
    const longUrl = `https://made.example.com/${n}`;
    const body = JSON.stringify({ longUrl });
    const answer = await send('/api/shorten', {
      method: 'POST',
      headers: { ...JSON_TYPE, ...from(n) },
      body,
    });
    if (tally.expect('shorten', answer, [201]))
      made.set(String(JSON.parse(answer.body).code), longUrl);
  } else if (slot === 16) {
    const headers = { Authorization: `Bearer ${token}` };
    tally.expect('analytics', await send(`/api/analytics/${code}`, { headers }), [200]);
  } else if (slot === 17) {
    const body = JSON.stringify({ code, reason: 'spam', details: `Load ${n}` });
    tally.expect(
      'abuse report',
      await send('/api/reports', { method: 'POST', headers: { ...JSON_TYPE, ...from(n) }, body }),
      [201],
    );
  } else {
    const bad = MALFORMED[Math.floor(n / 20 + slot) % MALFORMED.length];
    if (bad === undefined) return;
    const sent = { ...bad.sent, headers: { ...from(n), ...bad.sent.headers } };
    tally.expect(`malformed ${bad.path.slice(0, 20)}`, await send(bad.path, sent), bad.expected);
  }
}
