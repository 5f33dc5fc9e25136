import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { readCliSettings, writeSettings } from './settings.ts';
import { hop, ORIGIN, problem } from './testing/hop.ts';

const stdin = vi.hoisted(() => ({ text: '' }));
vi.mock('node:stream/consumers', () => ({ text: async () => stdin.text }));
const terminal = vi.hoisted(() => ({ interrupts: [] as (() => void)[], closed: 0 }));
/** A terminal that shows what is typed if it is told to. */
vi.mock('node:readline/promises', () => ({
  createInterface: ({ output }: { output: NodeJS.WritableStream }) => ({
    on: (_: 'SIGINT', end: () => void) => terminal.interrupts.push(end),
    close: () => (terminal.closed += 1),
    question: async (text: string) => {
      output.write(`${text}hop_live_typed`);
      return ' hop_live_typed ';
    },
  }),
}));

const newEnv = () => ({ XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'hop-')) });
const me = { plan: 'free', key: { name: 'A client', scopes: ['links:read', 'links:write'] } };
const server = () => Response.json(me);
beforeEach(() => {
  stdin.text = ' hop_live_new \nthe next line\n';
});

it('a login stores the key for its server and prints it nowhere', async () => {
  const env = newEnv();
  const { code, out, err, sent } = await hop(['login', '-s', 'hop.example/settings'], server, env);
  expect([code, err, sent.map(({ call }) => call)]).toEqual([0, '', ['GET /me']]);
  expect(sent[0]?.authorization).toBe('Bearer hop_live_new');
  expect(out).toBe(
    `Logged in to ${ORIGIN} with the key “A client” (links:read, links:write).\nStored in ${join(env.XDG_CONFIG_HOME, 'hop', 'config.json')}.`,
  );
  expect(readCliSettings(env)).toEqual({ origin: ORIGIN, key: 'hop_live_new' });
  const asJson = await hop(['login', '-s', ORIGIN, '--json'], server, env);
  expect(JSON.parse(asJson.out)).toEqual({ server: ORIGIN, plan: 'free', key: me.key });
});

it('a login at a terminal asks on standard error and shows no key', async () => {
  const env = newEnv();
  const { isTTY } = process.stdin;
  process.stdin.isTTY = true;
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await hop(['login', '-s', ORIGIN], server, env);
  process.stdin.isTTY = isTTY;
  expect(write.mock.calls.flat()).toEqual([`API key (from ${ORIGIN}/settings/api): `, '\n']);
  write.mockRestore();
  expect(readCliSettings(env)?.key).toBe('hop_live_typed');
  // Otherwise the process would wait for more input.
  expect(terminal.closed).toBe(1);
  const exit = vi.spyOn(process, 'exit').mockImplementation((status) => {
    throw new Error(`ended with ${status}`);
  });
  expect(() => terminal.interrupts.at(-1)?.()).toThrow('ended with 130');
  exit.mockRestore();
});

it('a login with a rejected key keeps the stored key', async () => {
  const env = newEnv();
  writeSettings(env, { origin: ORIGIN, key: 'hop_live_stored' });
  const reject = () => problem(401, 'unauthenticated', 'Unknown key.');
  const { code, err } = await hop(['login', '--server', ORIGIN], reject, env);
  expect([code, err]).toEqual([3, 'Unknown key.']);
  expect(readCliSettings(env)?.key).toBe('hop_live_stored');
});

it('a login goes to --server, or else to HOP_URL', async () => {
  const env = { ...newEnv(), HOP_URL: 'https://other.example' };
  const callOf = async (argv: string[]) => (await hop(argv, server, env)).sent[0]?.call;
  expect(await callOf(['login'])).toBe('GET https://other.example/api/v1/me');
  expect(await callOf(['login', '--server', ORIGIN])).toBe('GET /me');
  expect(await hop(['login'], server, newEnv())).toMatchObject({ code: 2, sent: [] });
});

it('whoami names the code prefix and the end of a key that has them', async () => {
  const key = { ...me.key, codePrefix: 'eu-', expiresAt: '2027-01-31T12:00:00Z' };
  const quota = { limit: 25, used: 5, remaining: 20, resetsAt: '2027-01-01T00:00:00Z' };
  const { out } = await hop(['whoami'], () => Response.json({ ...me, key, quota }));
  expect(out).toMatch(/^Code prefix +eu-\nKey ends +2027-01-31T12:00:00Z$/m);
});

it('a logout deletes the stored key and says that the key still works', async () => {
  const env = newEnv();
  writeSettings(env, { origin: ORIGIN, key: 'hop_live_stored' });
  const { code, out } = await hop(['logout'], server, env);
  expect([code, out]).toEqual([0, expect.stringContaining('The key still works')]);
  expect(readCliSettings(env)).toBeNull();
  expect((await hop(['logout'], server, env)).code).toBe(0);
});
