import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withMethods } from '#worker/db/with-methods.ts';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import type { Derivation } from './derive-key.ts';
import { derivePasswordKey, hasRoomForHash } from './hasher-pool.ts';

type Derive = (object: string, derivation: Derivation) => Promise<Uint8Array | null>;
/** The local objects, whose method behaves differently. `name` is the object's name. */
const objectsThat = (derive: Derive): Env['PASSWORD_HASHERS'] =>
  withMethods(env.PASSWORD_HASHERS, {
    getByName: (name: string) =>
      withMethods(env.PASSWORD_HASHERS.getByName(name), {
        derive: (derivation: Derivation) => derive(name, derivation),
      }),
  });
const full: Derive = async () => null;
const failing: Derive = () => Promise.reject(new Error('Durable Object reset.'));
const hanging: Derive = () => new Promise<never>(() => undefined);

const DERIVATION: Derivation = {
  password: 'correct horse',
  salt: new Uint8Array(16),
  params: { ln: 4, r: 8, p: 1 },
  bytes: 32,
  waitingMax: 8,
};
const signIn = (email: string, password: string, PASSWORD_HASHERS = env.PASSWORD_HASHERS) =>
  call(
    '/api/auth/v1/token?grant_type=password',
    { json: { email, password } },
    { ...EMBEDDED, PASSWORD_HASHERS },
  );

describe('the objects that hash passwords', () => {
  let lines: string[] = [];
  beforeEach(() => {
    lines = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('derive the same key as the isolate of a request', async () => {
    const here = await derivePasswordKey(null, DERIVATION);
    expect(here).toHaveLength(32);
    const there = await derivePasswordKey(env.PASSWORD_HASHERS, DERIVATION);
    expect([...(there ?? [])]).toEqual([...(here ?? [])]);
    expect(lines).toEqual([]);
  });

  it('all get work, and another one gets the call that one rejects', async () => {
    const asked: string[] = [];
    const firstFull = objectsThat(async (name) => {
      asked.push(name);
      return asked.length % 2 === 1 ? null : new Uint8Array(32);
    });
    for (let n = 0; n < 100; n++) {
      expect(await derivePasswordKey(firstFull, DERIVATION)).toHaveLength(32);
      const [first, second] = asked.slice(-2);
      expect(second).not.toBe(first);
    }
    expect(new Set(asked)).toEqual(new Set(['0', '1', '2', '3', '4', '5', '6', '7']));
  });

  it('a full pool answers 429 and counts nothing', async () => {
    const { email, headers, password } = await signInEmbedded();
    const hashers = {
      ...EMBEDDED,
      DEV_MAILBOX: 'off',
      MAIL_FROM: 'hop@example.com',
      PASSWORD_HASHERS: objectsThat(full),
    };
    const change = { password: 'another one', current_password: password };
    const counted = async () => {
      const { results } = await env.DB.prepare('SELECT sum(count) AS n FROM counters').all();
      return results;
    };
    const before = await counted();
    for (const [path, method, json] of [
      ['/token?grant_type=password', 'POST', { email, password }],
      ['/signup', 'POST', { email: 'new@example.com', password }],
      ['/user', 'PUT', change],
    ] as const) {
      const answer = await call(`/api/auth/v1${path}`, { method, json, headers }, hashers);
      expect([path, answer.status, answer.headers.get('Retry-After')]).toEqual([path, 429, '5']);
    }
    expect(await counted()).toEqual(before);
  });

  it('an isolate has a limited number of calls open', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const open = Array.from({ length: 64 }, () =>
      derivePasswordKey(objectsThat(hanging), DERIVATION),
    );
    expect([hasRoomForHash(), hasRoomForHash(3)]).toEqual([false, false]);
    expect(await derivePasswordKey(env.PASSWORD_HASHERS, DERIVATION)).toBeNull();
    await vi.advanceTimersByTimeAsync(30_000);
    await Promise.all(open);
    expect(hasRoomForHash(3)).toBe(true);
  });

  it('an object that fails or hangs leaves the hash to the isolate of the request', async () => {
    const { email, password } = await signInEmbedded();
    expect((await signIn(email, password, objectsThat(failing))).status).toBe(200);
    expect((await signIn(email, 'wrong', objectsThat(failing))).status).toBe(400);
    expect(lines.filter((line) => line.includes('password_hasher_failed'))).toHaveLength(2);

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const late = signIn(email, password, objectsThat(hanging));
    const isWaiting = () => expect(vi.getTimerCount()).toBeGreaterThan(0);
    await vi.waitFor(isWaiting, { timeout: 60_000 });
    await vi.advanceTimersByTimeAsync(11_000);
    expect((await late).status).toBe(200);
  });

  it('[T24] no password is stored in an object or logged', async () => {
    const { email, password } = await signInEmbedded({ password: 'a-password-to-look-for' });
    for (let n = 0; n < 8; n++) await signIn(email, password);
    await signIn(email, password, objectsThat(failing));
    for (let n = 0; n < 8; n++)
      await runInDurableObject(
        env.PASSWORD_HASHERS.getByName(String(n)),
        async (_, { storage }) => {
          expect([...storage.kv.list()]).toEqual([]);
          const tables = storage.sql.exec(
            "SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
          );
          expect(tables.toArray()).toEqual([]);
          expect(await storage.getAlarm()).toBeNull();
        },
      );
    expect(lines.length).toBeGreaterThan(8);
    expect(lines.join('\n')).not.toContain(password);
  });
});
