import { env } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { isAddress, turnOffFactor } from '#scripts/deploy/turn-off-factor.ts';
import { call } from '#worker/testing/call.ts';
import { askFactors, beginSignIn, signInWithApp } from '#worker/testing/second-factor.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';

const run = async (email: string) => {
  const statements = turnOffFactor(email, Date.now()).map((text) => env.DB.prepare(text));
  const [logged] = await env.DB.batch<{ subject: string }>(statements);
  return logged?.results.map(({ subject }) => subject);
};
/** What somebody with the app, or in need of one, can use. */
const TABLES = ['auth_recovery_codes', 'auth_factor_resets', 'auth_pending_sign_ins'];
const tablesWith = async (userId: string) => {
  const found = TABLES.map((table) =>
    env.DB.prepare(`SELECT DISTINCT '${table}' AS name FROM ${table} WHERE user_id = ?`).bind(
      userId,
    ),
  );
  const results = await env.DB.batch<{ name: string }>(found);
  return results.flatMap(({ results: rows }) => rows.map(({ name }) => name));
};
const ask = async (headers: Record<string, string>) =>
  (await call('/api/my-urls', { headers }, EMBEDDED)).status;

it('an operator turns off the factor of one account, which the audit log has', async () => {
  const [member, other] = [await signInWithApp(), await signInWithApp()];
  expect(await run(`o'nobody@example.com`)).toEqual([]);
  expect(await ask(member.headers)).toBe(200);
  await askFactors('/reset', (await beginSignIn(member)).headers, {});
  expect(await tablesWith(member.id)).toEqual(TABLES);
  expect(await run(member.email.toUpperCase())).toEqual([`user:${member.id}`]);
  expect(await tablesWith(member.id)).toEqual([]);
  // Its sessions are over, and the next sign-in asks for no code.
  expect(await ask(member.headers)).toBe(401);
  expect(await ask((await beginSignIn(member)).headers)).toBe(200);
  expect(await ask((await beginSignIn(other)).headers)).toBe(401);
  expect(await run(member.email)).toEqual([]);
  const entries = env.DB.prepare('SELECT admin_id, subject FROM admin_log WHERE action = ?');
  expect((await entries.bind('turn_off_factor').all()).results).toEqual([
    { admin_id: 'system', subject: `user:${member.id}` },
  ]);
});

it('an account without an app keeps its sessions', async () => {
  const member = await signInEmbedded();
  expect(await run(member.email)).toEqual([]);
  expect(await ask(member.headers)).toBe(200);
});

it.each([
  ["o'neil+hop@example.com", true],
  ['ann', false],
  ['ann@example.com; DROP TABLE users', false],
])('%s can be an address: %s', (text, expected) => {
  expect(isAddress(text)).toBe(expected);
});
