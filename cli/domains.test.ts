import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hop } from './testing/hop.ts';

const asked = vi.hoisted(() => ({ questions: [] as unknown[], answer: '', closed: 0 }));
const interrupts = vi.hoisted((): (() => void)[] => []);
vi.mock('node:readline/promises', () => ({
  createInterface: ({ output }: { output: unknown }) => ({
    on: (_: 'SIGINT', end: () => void) => interrupts.push(end),
    close: () => (asked.closed += 1),
    question: async (text: string) => {
      asked.questions.push([text, output]);
      return asked.answer;
    },
  }),
}));
const { isTTY } = process.stdin;
beforeEach(() => void Object.assign(asked, { questions: [], closed: 0 }));
afterEach(() => void (process.stdin.isTTY = isTTY));

const records = [
  { type: 'CNAME', name: 'go', value: 'hop.example', state: 'wrong', seen: ['a.example', 'b'] },
  { type: 'TXT', name: '_hop', value: 'x', state: 'ok', seen: [] },
];
const DOMAIN = {
  name: 'go.example.com',
  state: 'suspended',
  shared: false,
  fault: 'no DNS records',
  suspendedReason: 'Phishing',
  records,
};
const server = (call: string) =>
  call.startsWith('DELETE') ? new Response(null, { status: 204 }) : Response.json(DOMAIN);

it('a list names the state, and the fault of a domain that has one', async () => {
  const data = [
    { ...DOMAIN, state: 'active', shared: true, fault: null },
    { ...DOMAIN, name: 'a.example', state: 'pending' },
  ];
  const { out } = await hop(['domains'], () => Response.json({ data }));
  expect(out).toBe('go.example.com  active   shared\na.example       pending  no DNS records');
  expect((await hop(['domains'], () => Response.json({ data: [] }))).out).toBe('No domains.');
  const asJson = await hop(['domains', '--json'], () => Response.json({ data }));
  expect(JSON.parse(asJson.out)).toEqual({ data });
  const shown = await hop(['domains', 'show', 'go.example.com', '--json'], server);
  expect(JSON.parse(shown.out)).toEqual(DOMAIN);
});

it('a domain is shown with the reason of its state and its DNS records', async () => {
  expect((await hop(['domains', 'show', 'go.example.com'], server)).out).toBe(
    [
      'go.example.com: suspended (Phishing)',
      '',
      'DNS records:',
      'CNAME  go    hop.example  wrong: a.example, b',
      'TXT    _hop  x            ok',
    ].join('\n'),
  );
  const active = { ...DOMAIN, state: 'active', fault: null, suspendedReason: null, records: [] };
  const { out } = await hop(['domains', 'check', 'a'], () => Response.json(active));
  expect(out).toBe('go.example.com: active');
});

it.each([
  ['y', ['DELETE /domains/go.example.com'], 'Deleted go.example.com.'],
  ['n', [], ''],
])('hop domains delete asks first; the answer is “%s”', async (answer, calls, printed) => {
  process.stdin.isTTY = true;
  asked.answer = answer;
  const { code, out, sent } = await hop(['domains', 'delete', 'go.example.com'], server);
  expect([code, out, sent.map(({ call }) => call)]).toEqual([0, printed, calls]);
  // Standard output has only results.
  expect(asked.questions).toEqual([
    ['Delete go.example.com? Its links stop. [y/N] ', process.stderr],
  ]);
  // Otherwise the process would wait for more input.
  expect(asked.closed).toBe(1);
  const exit = vi.spyOn(process, 'exit').mockImplementation((status) => {
    throw new Error(`ended with ${status}`);
  });
  expect(() => interrupts.at(-1)?.()).toThrow('ended with 130');
  exit.mockRestore();
});

it.each([
  ['delete go.example.com', 'Add --yes to delete without being asked.'],
  ['update go.example.com', 'Say what changes: --root URL or --not-found URL'],
  ['add', 'Name the domain: hop domains add DOMAIN'],
])('hop domains %s sends nothing', async (line, message) => {
  process.stdin.isTTY = false;
  const { code, err, sent } = await hop(['domains', ...line.split(' ')], server);
  expect([code, err, sent]).toEqual([2, expect.stringContaining(message), []]);
});

it('only what is given is sent, and help shows how', async () => {
  const { sent } = await hop(['domains', 'update', 'go.example.com', '--root='], server);
  expect(sent[0]?.body).toEqual({ rootUrl: '' });
  const added = await hop(['domains', 'add', 'go.example.com'], server);
  expect(added.sent[0]?.body).toEqual({ name: 'go.example.com' });
  const { out: deleted } = await hop(['domains', 'delete', 'a.example', '-y', '--json'], server);
  expect(JSON.parse(deleted)).toEqual({ deleted: 'a.example' });
  const { out } = await hop(['domains', '--help']);
  expect(out).toContain('\n  $ hop domains add go.example.com\n');
});
