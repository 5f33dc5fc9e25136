import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { users } from '#worker/db/schema.ts';
import { call, ORIGIN } from './call.ts';
import { EMBEDDED, mailsTo, signInEmbedded } from './sign-in.ts';

/** The steps of the attacker, the owner of the mailbox, a mail scanner and an administrator. They may come in any order. */
export const STEPS = [
  'attacker signs up',
  'attacker signs up again',
  'attacker signs in',
  'attacker resends',
  'attacker recovers',
  'attacker guesses a code',
  'attacker changes the password',
  'attacker deletes the account',
  'scanner opens every link',
  'owner signs up',
  'owner signs in',
  'owner resends',
  'owner recovers',
  'owner opens the link',
  'owner opens the link elsewhere',
  'owner opens an old link',
  'owner enters the code',
  'owner changes the password',
  'owner deletes the account',
  'admin demotes',
  'admin suspends',
  'admin lifts the suspension',
] as const;
export type Step = (typeof STEPS)[number];

const db = openDb(env.DB);
const AUTH = '/api/auth/v1';
const ATTACKER_PASSWORD = 'password of the attacker';
let worlds = 0;

/**
 * One email address and the four parties that act on it over HTTP. The address is in ADMIN_EMAILS, so a takeover would also
 * give the attacker the administrator role. `check` and `end` fail the test if a rule is broken.
 */
export async function makeTakeoverWorld() {
  worlds += 1;
  const serial = `${worlds}-${crypto.randomUUID().slice(0, 6)}`;
  const email = `owner-${serial}@example.com`;
  const overrides = { ...EMBEDDED, ADMIN_EMAILS: email };
  const admin = await signInEmbedded({ email: `admin-${serial}@example.com` });
  await call('/api/me', { headers: admin.headers }, overrides);
  await db.update(users).set({ role: 'admin' }).where(eq(users.id, admin.id));

  const secrets = { attacker: secret(), owner: secret() };
  /** Every access token that each of the two has received. */
  const tokens: Record<'attacker' | 'owner', string[]> = { attacker: [], owner: [] };
  /** The password that the owner set last, or '' if there is none. */
  let password = '';
  let passwords = 0;
  /** Whether the owner has used a mail since the account exists, and whether an administrator has demoted the address. */
  let proven = false;
  let demoted = false;
  let suspended = false;

  const send = (who: 'attacker' | 'owner', path: string, json: unknown, token = '', method = 'POST') => {
    const headers = {
      'CF-Connecting-IP': who === 'attacker' ? `198.51.100.${worlds % 250}` : `203.0.113.${worlds % 250}`,
      'Content-Type': 'application/json',
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
    };
    return call(path, { method, headers, body: JSON.stringify(json) }, overrides);
  };

  /** Stores the session of a response. Returns whether the account has a password, or null if there is no session. */
  const keep = async (who: 'attacker' | 'owner', response: Response): Promise<boolean | null> => {
    const body: { access_token?: string; user?: { app_metadata?: { has_password?: boolean } } } = await response.json();
    if (response.status !== 200 || body.access_token === undefined) return null;
    tokens[who].push(body.access_token);
    return body.user?.app_metadata?.has_password === true;
  };

  const attackerSignsIn = async (): Promise<void> => {
    const json = { email, password: ATTACKER_PASSWORD };
    await keep('attacker', await send('attacker', `${AUTH}/token?grant_type=password`, json));
  };

  const signUp = async (who: 'attacker' | 'owner', chosen: string, mine = secrets[who]) => {
    const response = await send(who, `${AUTH}/signup?redirect_to=${ORIGIN}/dashboard`, {
      email,
      password: chosen,
      data: { sign_up_secret: mine },
    });
    await response.body?.cancel();
    return response.ok;
  };

  const newPassword = (): string => `password ${++passwords} of the owner`;

  /** Confirms by the newest link (or the one before) in the owner's mailbox, and sets a password if the page asks for one. */
  const openLink = async (age: number, withSecret: boolean): Promise<void> => {
    const mail = (await mailsTo(email)).filter(({ link }) => link.includes('#'))[age];
    if (mail === undefined) return;
    const fragment = new URLSearchParams(new URL(mail.link).hash.slice(1));
    const type = fragment.get('type');
    const response = await send('owner', `${AUTH}/verify`, {
      type,
      token_hash: fragment.get('token_hash'),
      ...(withSecret ? { sign_up_secret: secrets.owner } : {}),
    });
    await afterProof(response, type === 'recovery');
  };

  /** Sets a password where the page asks the owner for one: after a recovery, or if the account has none. */
  const afterProof = async (response: Response, isRecovery: boolean): Promise<void> => {
    const hasPassword = await keep('owner', response);
    if (hasPassword === null) return;
    proven = true;
    if (isRecovery || !hasPassword) await choose();
  };

  /** Sends the password form after a mail. It needs no current password, because the session comes from the mail. */
  const choose = async (): Promise<void> => {
    const chosen = newPassword();
    const response = await send('owner', `${AUTH}/user`, { password: chosen }, tokens.owner.at(-1), 'PUT');
    await response.body?.cancel();
    if (response.status === 200) password = chosen;
  };

  const attackerTries = async (path: string, json: unknown, method: string): Promise<void> => {
    for (const token of tokens.attacker.slice(-2)) await (await send('attacker', path, json, token, method)).body?.cancel();
  };

  const moderate = async (action: 'disable' | 'enable'): Promise<boolean> => {
    const row = await db.select().from(users).where(eq(users.email, email)).get();
    if (row === undefined) return false;
    const json = { action, scope: { kind: 'user', user_id: row.id }, reason: 'Model.' };
    const response = await call('/api/admin/moderation', { json, headers: admin.headers }, overrides);
    await response.body?.cancel();
    return response.status === 200;
  };

  const step = async (name: Step): Promise<void> => {
    switch (name) {
      case 'attacker signs up':
        await signUp('attacker', ATTACKER_PASSWORD);
        return;
      case 'attacker signs up again':
        await signUp('attacker', ATTACKER_PASSWORD, secret());
        return;
      case 'attacker signs in':
        return attackerSignsIn();
      case 'attacker resends':
        await (await send('attacker', `${AUTH}/resend`, { type: 'signup', email })).body?.cancel();
        return;
      case 'attacker recovers':
        await (await send('attacker', `${AUTH}/recover?redirect_to=${ORIGIN}/promo`, { email })).body?.cancel();
        return;
      case 'attacker guesses a code':
        for (const type of ['signup', 'recovery'])
          await keep('attacker', await send('attacker', `${AUTH}/verify`, { type, email, token: '000000' }));
        return;
      case 'attacker changes the password':
        await attackerTries(`${AUTH}/user`, { password: ATTACKER_PASSWORD, current_password: ATTACKER_PASSWORD }, 'PUT');
        return;
      case 'attacker deletes the account':
        await attackerTries('/api/account', { confirm: 'delete my account', links: 'keep' }, 'DELETE');
        return;
      case 'scanner opens every link':
        for (const { link } of await mailsTo(email)) {
          const fragment = new URLSearchParams(new URL(link).hash.slice(1));
          const old = `${ORIGIN}${AUTH}/verify?token=${fragment.get('token_hash')}&type=${fragment.get('type')}&redirect_to=${ORIGIN}/promo`;
          for (const url of [link.split('#')[0] ?? link, old])
            for (const method of ['GET', 'GET', 'GET', 'HEAD']) {
              const response = await call(url, { method }, overrides);
              expect(response.headers.get('Location') ?? '').not.toContain('access_token');
              await response.body?.cancel();
            }
        }
        return;
      case 'owner signs up': {
        const chosen = newPassword();
        const before = await db.$client.prepare('SELECT 1 FROM auth_users WHERE email = ?1').bind(email).first();
        // Only the browser that started this sign-up may correct its password. Others choose one when they confirm.
        if ((await signUp('owner', chosen)) && (before === null || (password !== '' && !proven))) password = chosen;
        return;
      }
      case 'owner signs in':
        if (password !== '') await keep('owner', await send('owner', `${AUTH}/token?grant_type=password`, { email, password }));
        return;
      case 'owner resends':
        await (await send('owner', `${AUTH}/resend`, { type: 'signup', email })).body?.cancel();
        return;
      case 'owner recovers':
        await (await send('owner', `${AUTH}/recover`, { email })).body?.cancel();
        return;
      case 'owner opens the link':
        return openLink(0, true);
      case 'owner opens the link elsewhere':
        return openLink(0, false);
      case 'owner opens an old link':
        return openLink(1, true);
      case 'owner enters the code': {
        const mail = (await mailsTo(email)).find(({ text }) => /code: \d{6}/.test(text));
        const token = /code: (\d{6})/.exec(mail?.text ?? '')?.[1];
        if (mail === undefined || token === undefined) return;
        const type = new URLSearchParams(new URL(mail.link).hash.slice(1)).get('type');
        const response = await send('owner', `${AUTH}/verify`, { type, email, token, sign_up_secret: secrets.owner });
        return afterProof(response, type === 'recovery');
      }
      case 'owner changes the password': {
        if (password === '' || tokens.owner.length === 0) return;
        const chosen = newPassword();
        const json = { password: chosen, current_password: password };
        const response = await send('owner', `${AUTH}/user`, json, tokens.owner.at(-1), 'PUT');
        await response.body?.cancel();
        if (response.status === 200) password = chosen;
        return;
      }
      case 'owner deletes the account': {
        const json = { confirm: 'delete my account', links: 'keep', current_password: password };
        const response = await send('owner', '/api/account', json, tokens.owner.at(-1) ?? 'none', 'DELETE');
        await response.body?.cancel();
        if (response.status === 200) {
          password = '';
          proven = false;
        }
        return;
      }
      case 'admin demotes': {
        const row = await db.select().from(users).where(eq(users.email, email)).get();
        if (row === undefined) return;
        const json = { action: 'set_role', user_id: row.id, role: 'user' };
        const response = await call('/api/admin', { json, headers: admin.headers }, overrides);
        await response.body?.cancel();
        if (response.status === 200) demoted = true;
        return;
      }
      case 'admin suspends':
        if (await moderate('disable')) suspended = true;
        return;
      case 'admin lifts the suspension':
        if (await moderate('enable')) suspended = false;
    }
  };

  /** Checks the rules that hold after every step. */
  const check = async (): Promise<void> => {
    expect(tokens.attacker, 'sessions of the attacker').toEqual([]);
    for (const token of tokens.owner.slice(-2)) {
      const response = await call('/api/me', { headers: { Authorization: `Bearer ${token}` } }, overrides);
      await response.body?.cancel();
      if (suspended) expect(response.status, 'a session while suspended').not.toBe(200);
    }
    const row = await db.select().from(users).where(eq(users.email, email)).get();
    if (row?.role === 'admin') expect({ proven, demoted }).toEqual({ proven: true, demoted: false });
  };

  return {
    step,
    check,
    /** Checks that the owner's password signs in, with the administrator role only where the rules allow it. */
    async end(): Promise<void> {
      await attackerSignsIn();
      expect(tokens.attacker, 'sessions of the attacker').toEqual([]);
      if (!proven || suspended || password === '') return;
      const response = await send('owner', `${AUTH}/token?grant_type=password`, { email, password });
      expect(response.status).toBe(200);
      const { access_token: token }: { access_token: string } = await response.json();
      const me = await call('/api/me', { headers: { Authorization: `Bearer ${token}` } }, overrides);
      expect(await me.json()).toMatchObject({ email, role: demoted ? 'user' : 'admin' });
    },
  };
}

const secret = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
