import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { call } from '#worker/testing/call.ts';
import { arriveAfter, endingBeforeWrite, park, withoutBodyTimeout } from '#worker/testing/park.ts';
import {
  makeRichAccount,
  requestOf,
  RICH_ENV,
  type RichAccount,
} from '#worker/testing/rich-account.ts';
import { wholeDatabase } from '#worker/testing/scan.ts';
import { SIGN_IN_INPUTS } from '#worker/testing/sign-in-inputs.ts';
import { linkIn, mailsTo, pressLink, signInEmbedded } from '#worker/testing/sign-in.ts';
import { ACCESS } from './access.ts';

const SIGN_IN = '/api/auth/v1';

/**
 * These tests end a right while a request is on its way. They cover every route that changes
 * something for a signed-in caller, including those of the sign-in service.
 */
const OF_A_SESSION = new Set([
  `PUT ${SIGN_IN}/user`,
  `POST ${SIGN_IN}/logout`,
  `POST ${SIGN_IN}/user/identities`,
  `DELETE ${SIGN_IN}/user/identities`,
  `POST ${SIGN_IN}/user/identities/authorize`,
  `POST ${SIGN_IN}/factors`,
  `POST ${SIGN_IN}/factors/:id/challenge`,
  `POST ${SIGN_IN}/factors/:id/verify`,
  `DELETE ${SIGN_IN}/factors/:id`,
  `POST ${SIGN_IN}/factors/recovery-codes`,
  `POST ${SIGN_IN}/factors/reset`,
  `POST ${SIGN_IN}/passkeys/proof/options`,
  `POST ${SIGN_IN}/passkeys/proof/verify`,
  `POST ${SIGN_IN}/passkeys/registration/options`,
  `POST ${SIGN_IN}/passkeys/registration/verify`,
  `PATCH ${SIGN_IN}/passkeys/:id`,
  `DELETE ${SIGN_IN}/passkeys/:id`,
]);
const isChange = ([route, rule]: [string, string]) =>
  !route.startsWith('GET ') && (rule !== 'anyone' || OF_A_SESSION.has(route));
const CHANGES = Object.entries(ACCESS).filter(isChange);
const ALL = CHANGES.map(([route]) => route);
const FOR_ADMINS = CHANGES.filter(([, rule]) => rule === 'admin').map(([route]) => route);

/** Routes that write nothing permanent, and how they answer. */
const WITHOUT_WRITE = new Map([
  ['POST /api/account/links', 200],
  ['POST /api/links/import/check', 200],
  ['POST /api/links/test', 200],
  ['POST /api/links/import/source', 400],
  [`POST ${SIGN_IN}/factors/:id/challenge`, 200],
]);

/** Sets up an authenticator app. The other routes for one need an account that has it. */
const SET_UP_APP = `POST ${SIGN_IN}/factors`;

/**
 * The contents of the database without the counters of rejected attempts, and without what is
 * written after responses: whether mail works, and the share of errors of all requests.
 */
async function contents(): Promise<string> {
  const tables = await wholeDatabase();
  for (const name of ['counters', 'dev_mails', 'job_runs']) tables.delete(name);
  const facts = tables.get('system_facts') ?? [];
  tables.set(
    'system_facts',
    facts.filter(({ name }) => name !== 'fails:mail' && name !== 'errors'),
  );
  return JSON.stringify([...tables]);
}

const send = async (
  path: string,
  json: unknown,
  headers: Record<string, string>,
  method = 'POST',
): Promise<void> => {
  const response = await call(path, { method, json, headers }, RICH_ENV);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
};

async function secondSession({ person }: RichAccount): Promise<Record<string, string>> {
  const { email, password } = person;
  const response = await call(
    '/api/auth/v1/token?grant_type=password',
    { json: { email, password } },
    RICH_ENV,
  );
  const { access_token: token }: { access_token: string } = await response.json();
  return { Authorization: `Bearer ${token}` };
}

let boss: Record<string, string>;
beforeAll(async () => {
  const person = await signInEmbedded();
  boss = person.headers;
  await (await call('/api/me', { headers: boss }, RICH_ENV)).text();
  await env.DB.prepare("UPDATE users SET role = 'admin' WHERE id = ?1").bind(person.id).run();
});

/**
 * The ways in which the right of a session ends. `prepare` runs before the requests are sent, and
 * returns a function that ends the right.
 */
const ENDINGS: Record<
  string,
  { routes: string[]; prepare: (account: RichAccount) => Promise<() => Promise<unknown>> }
> = {
  'a sign-out': {
    routes: ALL,
    prepare:
      async ({ person }) =>
      () =>
        send('/api/auth/v1/logout?scope=local', {}, person.headers),
  },
  'a changed password': {
    routes: ALL,
    prepare: async (account) => {
      const headers = await secondSession(account);
      const change = { password: 'chosen by the owner', current_password: account.person.password };
      return () => send('/api/auth/v1/user', change, headers, 'PUT');
    },
  },
  'a take-back from the notice': {
    routes: ALL,
    prepare: async (account) => {
      const { email, password, headers } = account.person;
      const chosen = 'chosen by a thief';
      await send(
        '/api/auth/v1/user',
        { password: chosen, current_password: password },
        headers,
        'PUT',
      );
      account.person.password = chosen;
      const notice = (await mailsTo(email)).find(({ link }) => link.includes('type=recovery'));
      return async () => expect((await pressLink(notice)).status).toBe(200);
    },
  },
  'a demotion': {
    routes: FOR_ADMINS,
    prepare:
      async ({ person }) =>
      () =>
        send('/api/admin', { action: 'set_role', user_id: person.id, role: 'user' }, boss),
  },
  'a suspension': {
    routes: ALL,
    prepare:
      async ({ person }) =>
      () =>
        send(
          '/api/admin/moderation',
          { action: 'disable', reason: 'Spam.', scope: { kind: 'user', userId: person.id } },
          boss,
        ),
  },
  'a deletion': {
    routes: ALL,
    prepare: async (account) => {
      const headers = await secondSession(account);
      const json = {
        confirm: 'delete my account',
        links: 'keep',
        currentPassword: account.person.password,
      };
      return () => send('/api/account', json, headers, 'DELETE');
    },
  },
};

describe('the routes of the sign-in service that these tests cover', () => {
  it('[T47] every route that changes something and asks for a session is covered', async () => {
    const open = Object.keys(ACCESS).filter(
      (route) => route.includes(SIGN_IN) && !route.startsWith('GET '),
    );
    const asking = await Promise.all(
      open.map(async (route) => {
        const { query = '', body: json = {} } = SIGN_IN_INPUTS[route] ?? {};
        const { method, path } = requestOf(route, {});
        const response = await call(path + query, { method, json }, RICH_ENV);
        return (await response.text()).includes('"no_authorization"') ? route : null;
      }),
    );
    expect(new Set(asking.filter((route) => route !== null))).toEqual(OF_A_SESSION);
  });
});

describe('a request whose body arrives late', () => {
  it.each(Object.entries(ENDINGS))(
    '[T47] a late body changes nothing after %s',
    async (_, { routes, prepare }) => {
      const account = await makeRichAccount();
      const end = await prepare(account);
      const { headers } = account.person;
      const asks = routes.map((route) => ({
        route,
        ...requestOf(route, account.changes[route]),
        headers,
      }));
      const { accepted, before, after } = await arriveAfter(asks, RICH_ENV, end, contents);
      expect(accepted).toEqual([]);
      expect(after).toBe(before);
    },
  );
});

describe('a mailed link that is presented with its body late', () => {
  it.each(['/verify', '/verify/describe'])(
    '[T47] %s answers as if the link had come after its end',
    async (path) => {
      const { email } = await signInEmbedded();
      await send('/api/auth/v1/recover', { email }, {});
      const { type, token_hash } = linkIn((await mailsTo(email))[0]);
      const restore = withoutBodyTimeout();
      try {
        const parked = park(
          { method: 'POST', path: `/api/auth/v1${path}`, headers: {}, json: { type, token_hash } },
          RICH_ENV,
        );
        await parked.waiting;
        const later = Date.now() + 2 * HOUR_MS;
        vi.useFakeTimers({ toFake: ['Date'], now: later });
        const before = await contents();
        parked.finish();
        const response = await parked.response;
        expect(response.status).toBe(403);
        expect(await response.json()).toMatchObject({ error_code: 'otp_expired' });
        expect(await contents()).toBe(before);
      } finally {
        vi.useRealTimers();
        restore();
      }
    },
  );
});

describe('a right that ends between its check and the write', () => {
  let account: RichAccount;
  beforeAll(async () => {
    account = await makeRichAccount();
  });

  /** Ends one right of the account in the database. `undo` restores it. */
  const rights = {
    session: { end: 'DELETE FROM auth_sessions WHERE user_id = ?1', undo: null },
    suspension: {
      end: 'UPDATE users SET suspended_at = 1 WHERE id = ?1',
      undo: 'UPDATE users SET suspended_at = NULL WHERE id = ?1',
    },
    role: {
      end: "UPDATE users SET role = 'user' WHERE id = ?1",
      undo: "UPDATE users SET role = 'admin' WHERE id = ?1",
    },
  } as const;
  // Each route tests one right, in turn, because the same condition checks all of them. The sign-in
  // service knows no roles.
  const names = ['session', 'suspension', 'role'] as const;
  const cases = ALL.map((route, turn) => ({
    route,
    name: OF_A_SESSION.has(route) ? 'session' : (names[turn % 3] ?? 'session'),
  }));

  it.each(cases)(
    '[T47] $route writes nothing once the $name has ended',
    async ({ route, name }) => {
      const { id } = account.person;
      const { end, undo } = rights[name];
      const sessions = (
        await env.DB.prepare('SELECT * FROM auth_sessions WHERE user_id = ?1').bind(id).all()
      ).results;
      let before = '';
      const { DB, wrote } = endingBeforeWrite(async () => {
        await env.DB.prepare(end).bind(id).run();
        before = await contents();
      });
      const { headers } = account.person;
      const { method, path, json = {} } = requestOf(route, account.changes[route]);
      await setApp(id, route !== SET_UP_APP);
      try {
        const response = await call(path, { method, headers, json }, { ...RICH_ENV, DB });
        const answer = { wrote: wrote(), status: response.status, text: await response.text() };
        if (WITHOUT_WRITE.has(route)) {
          expect(answer).toMatchObject({ wrote: false, status: WITHOUT_WRITE.get(route) });
          return;
        }
        expect(answer, 'has to reach a write, or belongs to WITHOUT_WRITE').toMatchObject({
          wrote: true,
        });
        expect([401, 403], answer.text).toContain(answer.status);
        expect(await contents()).toBe(before);
      } finally {
        await setApp(id, false);
        if (undo !== null) await env.DB.prepare(undo).bind(id).run();
        for (const session of sessions) await insertAgain('auth_sessions', session);
      }
    },
  );
});

it('[T47] a session that expires between check and write is refused like an expired one', async () => {
  const { id, headers } = await signInEmbedded();
  const start = Date.now();
  await env.DB.prepare('UPDATE auth_sessions SET not_after = ?2 WHERE user_id = ?1')
    .bind(id, start + MINUTE_MS)
    .run();
  const prepare = (query: string): D1PreparedStatement => {
    if (query.includes('left join "auth_sessions"'))
      vi.useFakeTimers({ toFake: ['Date'], now: start + 2 * MINUTE_MS });
    return env.DB.prepare(query);
  };
  try {
    const change = { method: 'PUT', headers, json: { data: { name: 'Ann' } } };
    const response = await call('/api/auth/v1/user', change, {
      ...RICH_ENV,
      DB: withMethods(env.DB, { prepare }),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error_code: 'session_not_found' });
  } finally {
    vi.useRealTimers();
  }
});

/** Gives the account an authenticator app, or takes it away. */
const setApp = (userId: string, isOn: boolean) =>
  env.DB.prepare("UPDATE auth_users SET totp_secret = 'x', totp_confirmed_at = ?2 WHERE id = ?1")
    .bind(userId, isOn ? 1 : null)
    .run();

async function insertAgain(table: string, row: Record<string, unknown>): Promise<void> {
  const names = Object.keys(row);
  const slots = names.map((_, i) => `?${i + 1}`);
  await env.DB.prepare(
    `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${slots.join(', ')})`,
  )
    .bind(...Object.values(row))
    .run();
}
