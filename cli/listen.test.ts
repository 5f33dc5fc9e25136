import { Webhook as Verifier } from 'standardwebhooks';
import { expect, it, vi } from 'vitest';
import { WEBHOOK_EVENTS } from '#contract/webhooks/webhook-events.ts';
import { hop, problem } from './testing/hop.ts';

vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  hostname: () => 'h'.repeat(120),
}));
const waits = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => Promise.resolve(waits.push(ms)),
}));

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const delivery = (id: string, type = 'link.updated') => ({ id, type, body: `{"n":"${id}"}` });

/** A server whose polls answer with these pages, and which then gets Ctrl-C. */
function serverWith(polls: (object | Response)[], status = 200) {
  const received: string[] = [];
  const server = (call: string, body: unknown, headers: Headers): Response => {
    if (call === 'POST /webhooks') return Response.json({ id: 'w1', secret: SECRET });
    if (call.startsWith('DELETE')) return new Response(null, { status: 204 });
    if (call.startsWith('GET /webhooks/w1/deliveries')) {
      const page = polls.shift();
      if (page === undefined) process.emit('SIGINT');
      return page instanceof Response
        ? page
        : Response.json(page ?? { data: [], nextCursor: null });
    }
    const text = JSON.stringify(body);
    new Verifier(SECRET).verify(text, Object.fromEntries(headers));
    expect(headers.get('Content-Type')).toBe('application/json');
    expect(headers.get('User-Agent')).toBe('Hop-Webhooks/1');
    received.push(`${call} ${text}`);
    return new Response('thanks', { status });
  };
  return { server, received };
}

it('hop listen sends each event once, oldest first, signed as the server signs', async () => {
  const { server, received } = serverWith(
    [
      { data: [delivery('c'), delivery('b')], nextCursor: 'b' },
      { data: [delivery('a', 'link.created')], nextCursor: null },
      { data: [delivery('d'), delivery('c')], nextCursor: 'c' },
      { data: [delivery('b')], nextCursor: 'b' },
    ],
    503,
  );
  const line =
    'listen --forward-to localhost:3000/in --event link.created --event link.updated --tag sale';
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const { code, out, sent } = await hop(line.split(' '), server);
  expect([new Set(waits), new Set(timeout.mock.calls.flat())]).toEqual([
    new Set([2000]),
    new Set([10_000]),
  ]);
  const post = 'POST http://localhost:3000/in';
  expect(received).toEqual(['a', 'b', 'c', 'd'].map((id) => `${post} {"n":"${id}"}`));
  expect(sent[0]?.body).toMatchObject({
    url: null,
    description: `hop listen on ${'h'.repeat(86)}`,
    events: ['link.created', 'link.updated'],
    tag: 'sale',
  });
  expect(sent.find(({ call }) => call === post)?.redirect).toBe('manual');
  expect(sent.at(-1)?.call).toBe('DELETE /webhooks/w1');
  expect(out).toContain(SECRET);
  expect(out).toMatch(/^\d\d:\d\d:\d\d {2}link\.created {2}503$/m);
  expect(code).toBe(0);
});

it('hop listen goes on while the server cannot be reached, and ends with its webhook', async () => {
  const away = new Response('Bad gateway', { status: 502 });
  const { server, received } = serverWith([away, { data: [delivery('a')], nextCursor: null }]);
  const { code, err, sent } = await hop(['listen', '-f', 'http://127.0.0.1:3000'], server);
  expect(sent[0]?.body).toMatchObject({ events: WEBHOOK_EVENTS, tag: null });
  expect([received.length, code, err]).toEqual([1, 0, expect.stringContaining('502')]);
  const gone = serverWith([problem(404, 'not_found', 'No such webhook.')]);
  const ended = await hop(['listen', '-f', 'localhost:3000'], gone.server);
  expect([ended.code, ended.err]).toEqual([1, 'No such webhook.']);
});

it('hop listen --json prints the secret and each event, and Ctrl-C ends it at once', async () => {
  const { server, received } = serverWith([
    { data: [delivery('b'), delivery('a')], nextCursor: null },
  ]);
  const line = ['listen', '-f', 'localhost:3000', '--json'];
  const listeners = () => ['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal));
  const before = listeners();
  let during: number[] = [];
  const { out } = await hop(line, (call, body, headers) => {
    if (call.startsWith('POST http')) {
      during = listeners();
      process.emit('SIGINT');
    }
    return server(call, body, headers);
  });
  expect([during, listeners()]).toEqual([before.map((count) => count + 1), before]);
  expect(received).toEqual(['POST http://localhost:3000/ {"n":"a"}']);
  expect(JSON.parse(`[${out.replaceAll('}\n{', '},{')}]`)).toEqual([
    { forwardTo: 'http://localhost:3000/', secret: SECRET },
    { id: 'a', type: 'link.updated', status: 200 },
  ]);
});

it('hop listen says why a program cannot be reached', async () => {
  const { server } = serverWith([{ data: [delivery('a')], nextCursor: null }]);
  const { code, out } = await hop(['listen', '-f', 'localhost:3000'], (call, body, headers) => {
    // The server ends a webhook that nobody reads.
    if (call.startsWith('DELETE')) return problem(500, 'internal', 'No.');
    if (!call.startsWith('POST http')) return server(call, body, headers);
    throw new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') });
  });
  expect(out).toMatch(/link\.updated {2}connect ECONNREFUSED$/);
  expect(code).toBe(0);
});

it.each([
  ['listen', 'Say where your program listens: --forward-to localhost:3000'],
  ['listen -f http://', '--forward-to must be an address: localhost:3000'],
  ['listen -f localhost:3000 --event link.moved', 'link.created'],
])('hop %s says what is wrong and sends nothing', async (line, message) => {
  const { code, err, sent } = await hop(line.split(' '), serverWith([]).server);
  expect([code, sent]).toEqual([2, []]);
  expect(err).toContain(message);
});
