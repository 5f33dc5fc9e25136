import { env } from 'cloudflare:test';
import { expect } from 'vitest';
import { mailReadyResets } from '#worker/auth/second-factor/mail-ready-resets.ts';
import { DAY_MS } from '#contract/time.ts';
import { call } from './call.ts';
import { appCode } from './app-code.ts';
import { linkIn, mailsTo } from './sign-in.ts';
import type { FACTOR_STEPS } from './takeover-steps.ts';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const NETWORKS = { owner: '203.0.113.250', attacker: '198.51.100.250' };

type Who = keyof typeof NETWORKS;
type App = { id: string; secret: string; codes: string[]; shown: string };

/**
 * The second factor of the owner, and an attacker who knows the password. `signIn` returns the token
 * of a password sign-in, which waits for the code while there is a factor.
 */
export function makeTakeoverFactor(email: string, overrides: Partial<Env>) {
  let app: App | null = null;
  /** Each code that the app shows is a later one, so that the owner uses none twice. */
  let step = -1;

  const ask = (who: Who, path: string, token: string, json: unknown) =>
    call(
      `/api/auth/v1/factors${path}`,
      { json, headers: { ...bearer(token), 'CF-Connecting-IP': NETWORKS[who] } },
      overrides,
    );
  const verify = async (who: Who, token: string, code: string): Promise<string | null> => {
    const response = await ask(who, `/${app?.id ?? 'none'}/verify`, token, { code });
    const { access_token }: { access_token?: string } = await response.json();
    return response.ok ? (access_token ?? null) : null;
  };
  const tokenOf = async (subject: RegExp): Promise<string | undefined> => {
    const mail = (await mailsTo(email)).find((one) => subject.test(one.subject));
    return mail === undefined ? undefined : linkIn(mail).token_hash;
  };
  /** The quarter of an hour has passed for which wrong codes lock the account. */
  const liftLock = () =>
    env.DB.prepare("DELETE FROM counters WHERE key LIKE 'auth:factor-%'").run();
  const exists = () =>
    env.DB.prepare('SELECT totp_confirmed_at AS at FROM auth_users WHERE email = ?1')
      .bind(email)
      .first<number>('at');

  const factor = {
    /** Whether the account asks for a code. */
    isOn: async (): Promise<boolean> => (await exists()) !== null,
    async setUp(token: string, password: string): Promise<void> {
      const body = { factor_type: 'totp', current_password: password };
      const begun = await ask('owner', '', token, body);
      const answer: { id?: string; totp?: { secret: string } } = await begun.json();
      if (!begun.ok || answer.id === undefined || answer.totp === undefined) return;
      step = -1;
      app = { id: answer.id, secret: answer.totp.secret, codes: [], shown: '' };
      app.shown = appCode(app.secret, step);
      if ((await verify('owner', token, app.shown)) === null) return;
      const made = await ask('owner', '/recovery-codes', token, body);
      const { recovery_codes: codes }: { recovery_codes?: string[] } = await made.json();
      app.codes = codes ?? [];
    },
    /**
     * Finishes the owner's sign-in, after any lock has passed. Null once they have used up the three
     * codes that the app's present time allows and all recovery codes.
     */
    async finish(token: string): Promise<string | null> {
      if (app === null) return null;
      step += 1;
      if (step > 1) return factor.recover(token);
      app.shown = appCode(app.secret, step);
      await liftLock();
      return verify('owner', token, app.shown);
    },
    async recover(token: string): Promise<string | null> {
      const code = app?.codes.pop();
      if (code === undefined) return null;
      await liftLock();
      return verify('owner', token, code);
    },
    finishAs: (who: Who, token: string): Promise<string | null> =>
      who === 'owner' ? factor.finish(token) : factor.guess(token),
    /** The token of a password sign-in; undefined if it is refused. */
    async begin(who: Who, password: string): Promise<string | undefined> {
      const response = await call(
        '/api/auth/v1/token?grant_type=password',
        { json: { email, password }, headers: { 'CF-Connecting-IP': NETWORKS[who] } },
        overrides,
      );
      return (await response.json<{ access_token?: string }>()).access_token;
    },
    guess: (token: string): Promise<string | null> => verify('attacker', token, '000000'),
    /** The attacker has seen the last code that the owner entered. */
    replay: (token: string): Promise<string | null> => verify('attacker', token, app?.shown ?? ''),
    async askForReset(who: Who, token: string): Promise<void> {
      await (await ask(who, '/reset', token, {})).body?.cancel();
    },
    async follow(what: 'stop' | 'finish'): Promise<boolean> {
      const token = await tokenOf(what === 'stop' ? /asked to turn off/ : /can now turn off/);
      if (token === undefined) return false;
      const response = await ask('owner', `/reset/${what}`, '', { token });
      await response.body?.cancel();
      return response.ok;
    },
    /** A day passes for requested resets, and the job sends its mails. */
    async passDay(): Promise<void> {
      await env.DB.prepare(
        `UPDATE auth_factor_resets SET ready_at = ready_at - ?2
          WHERE user_id = (SELECT id FROM auth_users WHERE email = ?1)`,
      )
        .bind(email, DAY_MS)
        .run();
      await mailReadyResets({ ...env, ...overrides }, Date.now());
    },
    /** A token of somebody who has only the password is good for nothing. */
    async expectNothing(token: string): Promise<void> {
      for (const [path, method] of [
        ['/api/me', 'GET'],
        ['/api/keys', 'GET'],
        ['/api/auth/v1/user', 'GET'],
        ['/api/auth/v1/factors', 'GET'],
      ] as const) {
        const response = await call(path, { method, headers: bearer(token) }, overrides);
        await response.body?.cancel();
        expect(response.status, `${path} with the password alone`).toBe(401);
      }
    },
  };
  return factor;
}

/** The state of the account, as the steps know it. */
type Account = {
  password: () => string;
  forgetPassword: () => void;
  /** The owner's sessions. */
  tokens: string[];
  endSessions: () => void;
};

export function makeFactorSteps(
  factor: ReturnType<typeof makeTakeoverFactor>,
  { password, forgetPassword, tokens, endSessions }: Account,
): Record<(typeof FACTOR_STEPS)[number], () => Promise<void>> {
  /** The password that the attacker has learned, or ''. */
  let learned = '';
  /** Signs in with that password; undefined unless a code is asked. */
  const attackerBegins = async (): Promise<string | undefined> => {
    if (learned === '' || !(await factor.isOn())) return undefined;
    const token = await factor.begin('attacker', learned);
    if (token !== undefined) await factor.expectNothing(token);
    return token;
  };
  const ownerBegins = async (): Promise<string | undefined> =>
    password() !== '' && (await factor.isOn()) ? factor.begin('owner', password()) : undefined;

  return {
    'owner sets up a second factor': async () => {
      const token = tokens.at(-1);
      if (token !== undefined && password() !== '') await factor.setUp(token, password());
    },
    'owner signs in with a recovery code': async () => {
      const begun = await ownerBegins();
      const token = begun === undefined ? null : await factor.recover(begun);
      if (token !== null) tokens.push(token);
    },
    'owner asks for a reset': async () => {
      const token = await ownerBegins();
      if (token !== undefined) await factor.askForReset('owner', token);
    },
    'owner stops the reset': async () => {
      if (!(await factor.follow('stop'))) return;
      learned = '';
      forgetPassword();
      endSessions();
    },
    'a day passes': () => factor.passDay(),
    'owner finishes the reset': async () => {
      if (!(await factor.follow('finish'))) return;
      expect(await factor.isOn(), 'the second factor after a reset').toBe(false);
      endSessions();
    },
    'attacker learns the password': async () => {
      learned = password();
    },
    'attacker enters a wrong code': async () => {
      const token = await attackerBegins();
      if (token !== undefined) expect(await factor.guess(token), 'a wrong code').toBeNull();
    },
    'attacker replays a code': async () => {
      const token = await attackerBegins();
      if (token !== undefined) expect(await factor.replay(token), 'a replayed code').toBeNull();
    },
    'attacker asks for a reset': async () => {
      const token = await attackerBegins();
      if (token !== undefined) await factor.askForReset('attacker', token);
    },
  };
}
