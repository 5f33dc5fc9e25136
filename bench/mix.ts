import type { Answer, Send, Sent } from './server.ts';

export type Kind = 'human' | 'bot' | 'prefetch';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** What was sent and how it was answered. `start` is what had been counted before. */
export class Tally {
  /** Unexpected answers: how often each came. */
  readonly failed = new Map<string, number>();
  readonly #sent: Map<string, Record<Kind, number>>;
  readonly #took: number[] = [];
  readonly #answers = new Map<string, number>();

  constructor(start: ReadonlyMap<string, Readonly<Record<Kind, number>>> = new Map()) {
    this.#sent = new Map([...start].map(([code, counts]) => [code, { ...counts }]));
  }

  /** A redirect of `code` was asked for; only one that was answered by a 302 is to be counted. */
  took(code: string, kind: Kind, answer: Answer, ms: number): void {
    this.#took.push(ms);
    if (!this.expect('redirect', answer, [302])) return;
    const counts = this.of(code);
    counts[kind]++;
    this.#sent.set(code, counts);
  }

  /** Notes an answer. True where its status is one of `expected`; a 503 that says when to come back is no failure. */
  expect(what: string, answer: Answer, expected: readonly number[]): boolean {
    const name = `${what} ${answer.status}`;
    this.#answers.set(name, (this.#answers.get(name) ?? 0) + 1);
    if (expected.includes(answer.status)) return true;
    if (answer.status !== 503 || answer.headers['retry-after'] === undefined) {
      const said = `${name} ${answer.body.slice(0, 120)}`;
      this.failed.set(said, (this.failed.get(said) ?? 0) + 1);
    }
    return false;
  }

  of(code: string): Record<Kind, number> {
    return this.#sent.get(code) ?? { human: 0, bot: 0, prefetch: 0 };
  }

  sum(kind: Kind): number {
    return [...this.#sent.values()].reduce((sum, counts) => sum + counts[kind], 0);
  }

  /** Milliseconds that `share` of the redirects took at the most. */
  latency(share: number): number {
    return Math.round(this.#took.toSorted((a, b) => a - b)[Math.floor(share * (this.#took.length - 1))] ?? 0);
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
      .map(([said, n]) => `\n        ${n} times ${said}`)
      .join('');
  }
}

/** Of ten clicks seven are people's, two a crawler's and one a browser's that fetches ahead. */
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

/** A network of its own for request `n`, so that the limits of one sender do not end the load. */
const from = (n: number): Record<string, string> => ({
  'CF-Connecting-IP': `2001:db8:${(n >> 16).toString(16)}:${(n & 65_535).toString(16)}::1`,
});

/** Malformed in every layer above HTTP itself, and how each must be answered. */
const MALFORMED: readonly { path: string; sent: Sent; expected: readonly number[] }[] = [
  { path: '/api/shorten', sent: { method: 'POST', headers: JSON_TYPE, body: '{"longUrl":' }, expected: [400] },
  { path: '/api/shorten', sent: { method: 'POST', headers: JSON_TYPE, body: '[]' }, expected: [400] },
  {
    path: '/api/shorten',
    sent: { method: 'POST', headers: JSON_TYPE, body: '{"longUrl":"javascript:alert(1)"}' },
    expected: [400],
  },
  { path: '/api/shorten', sent: { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}' }, expected: [415] },
  {
    path: '/api/shorten',
    sent: { method: 'POST', headers: JSON_TYPE, body: `{"longUrl":"${'x'.repeat(20_000)}"}` },
    expected: [413],
  },
  { path: '/api/shorten', sent: { method: 'POST', headers: JSON_TYPE, body: '['.repeat(10_000) }, expected: [400] },
  { path: '/api/my-urls', sent: { headers: { Authorization: 'Bearer x.y.z' } }, expected: [401] },
  { path: '/api/shorten', sent: { method: 'PATCH' }, expected: [405] },
  { path: '/api/none', sent: {}, expected: [404] },
  { path: '/%ff%fe', sent: {}, expected: [400, 404] },
  { path: '/%00', sent: {}, expected: [400, 404] },
  { path: `/${'a'.repeat(4_000)}`, sent: {}, expected: [404, 414] },
  { path: '/..%2f..%2fetc%2fpasswd', sent: {}, expected: [400, 404] },
];

/** Request `n` of the mix. Notes links that were made in `made`, with their targets. */
export async function mixed(
  send: Send,
  n: number,
  codes: readonly string[],
  token: string,
  tally: Tally,
  made: Map<string, string>,
): Promise<void> {
  const code = codes[(n * 7919) % codes.length] ?? '';
  const slot = n % 20;
  if (slot < 12) {
    const began = performance.now();
    const answer = await send(`/${code}`, redirectOf(n));
    tally.took(code, kindOf(n), answer, performance.now() - began);
  } else if (slot < 14) {
    tally.expect('miss', await send(`/no${n}-such`, { headers: from(n) }), [404]);
  } else if (slot < 16) {
    const longUrl = `https://made.example.com/${n}`;
    const body = JSON.stringify({ longUrl });
    const answer = await send('/api/shorten', { method: 'POST', headers: { ...JSON_TYPE, ...from(n) }, body });
    if (tally.expect('shorten', answer, [201])) made.set(String(JSON.parse(answer.body).code), longUrl);
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
