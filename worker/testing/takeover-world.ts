import { env } from 'cloudflare:test';
import { expect } from 'vitest';
import { call, ORIGIN } from './call.ts';
import { openEveryLink } from './mail-scanner.ts';
import { EMBEDDED, mailsTo } from './sign-in.ts';
import { makeTakeoverAdmin } from './takeover-admin.ts';
import { makeCopy } from './takeover-copy.ts';
import { makeTakeoverPasskeys } from './takeover-passkeys.ts';
import { makeFactorSteps, makeTakeoverFactor } from './takeover-factor.ts';
import { makeTakeoverProvider, OF_PROVIDER, type Visit } from './takeover-provider.ts';
import { askMe, checkAccounts, newSecret, statusOf } from './takeover-checks.ts';
import type { Step } from './takeover-steps.ts';
import { makeThief } from './takeover-thief.ts';

const AUTH = '/api/auth/v1';
const ATTACKER_PASSWORD = 'password of the attacker';
let worlds = 0;

/**
 * One email address and the four parties that act on it over HTTP. The address is in ADMIN_EMAILS,
 * so a takeover would also give the attacker the administrator role. `check` and `end` fail the
 * test if a rule is broken.
 */
export async function makeTakeoverWorld() {
  worlds += 1;
  const serial = `${worlds}-${crypto.randomUUID().slice(0, 6)}`;
  const email = `owner-${serial}@example.com`;
  const overrides = { ...EMBEDDED, ...OF_PROVIDER, ADMIN_EMAILS: email };
  const admin = await makeTakeoverAdmin(serial, overrides);
  const provider = await makeTakeoverProvider(email, serial, overrides);
  const passkeys = await makeTakeoverPasskeys(overrides);

  const factor = makeTakeoverFactor(email, overrides);

  const secrets = { attacker: newSecret(), owner: newSecret() };
  const tokens: Record<'attacker' | 'owner', string[]> = { attacker: [], owner: [] };
  /** The last password of the owner, or '' if there is none. */
  let password = '';
  let passwords = 0;
  /**
   * `proven` is true if the owner has used a mail since the account exists. `demoted` is true if an
   * administrator has demoted the address.
   */
  let proven = false;
  let demoted = false;
  let suspended = false;
  /** The newest copy of the database, with the expected state at that time. */
  let copy:
    | { restore: () => Promise<void>; account: string | null; demoted: boolean; suspended: boolean }
    | undefined;
  /** The owner's access tokens from before the last restore. */
  const ended: string[] = [];

  const send = (
    who: 'attacker' | 'owner',
    path: string,
    json: unknown,
    token = '',
    method = 'POST',
  ) => {
    const headers = {
      'CF-Connecting-IP':
        who === 'attacker' ? `198.51.100.${worlds % 250}` : `203.0.113.${worlds % 250}`,
      'Content-Type': 'application/json',
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
    };
    return call(path, { method, headers, body: JSON.stringify(json) }, overrides);
  };

  /**
   * Stores the session of a response. Returns whether the account has a password, or null if there
   * is no session.
   */
  const keep = async (who: 'attacker' | 'owner', response: Response): Promise<boolean | null> => {
    const body: {
      access_token?: string;
      user?: { app_metadata?: { has_password?: boolean; pending?: boolean } };
    } = await response.json();
    if (response.status !== 200 || body.access_token === undefined) return null;
    const { has_password = false, pending = false } = body.user?.app_metadata ?? {};
    if (who === 'owner' && !has_password) password = '';
    if (pending) await factor.expectNothing(body.access_token);
    const token = pending ? await factor.finishAs(who, body.access_token) : body.access_token;
    if (token === null) return null;
    tokens[who].push(token);
    return has_password;
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

  /** Every session of the account has ended. */
  const endSessions = (): void => {
    ended.push(...tokens.owner.splice(0));
    thief.loseSessions();
  };

  const thief = makeThief(serial, overrides);
  const factorSteps = makeFactorSteps(factor, {
    password: () => password,
    forgetPassword: () => void (password = ''),
    tokens: tokens.owner,
    endSessions,
  });
  const newPassword = (): string => `password ${++passwords} of the owner`;

  /**
   * Confirms by the newest link (or the one before) in the owner's mailbox, and sets a password if
   * the page asks for one.
   */
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

  /**
   * Sets a password if the page asks the owner for one: after a recovery, or if the account has
   * none.
   */
  const afterProof = async (response: Response, isRecovery: boolean): Promise<void> => {
    const hasPassword = await keep('owner', response);
    if (hasPassword === null) return;
    // What was added before the mailbox was proven is gone.
    if (!proven) passkeys.lose();
    proven = true;
    if (isRecovery || !hasPassword) await choose();
  };

  /**
   * Sends the password form after a mail. It needs no current password, because the session comes
   * from the mail.
   */
  const choose = async (): Promise<void> => {
    const chosen = newPassword();
    const response = await send(
      'owner',
      `${AUTH}/user`,
      { password: chosen },
      tokens.owner.at(-1),
      'PUT',
    );
    await response.body?.cancel();
    if (response.status === 200) password = chosen;
  };

  const attackerTries = async (path: string, json: unknown, method: string): Promise<void> => {
    for (const token of tokens.attacker.slice(-2))
      await (await send('attacker', path, json, token, method)).body?.cancel();
  };

  const accountId = () =>
    env.DB.prepare('SELECT id FROM auth_users WHERE email = ?1').bind(email).first<string>('id');

  /**
   * An account survives only if it is in the copy and has not been deleted since. Suspensions and
   * demotions from before and after the copy hold.
   */
  const restore = async ({ account, ...before }: NonNullable<typeof copy>): Promise<void> => {
    const isKept = account !== null && (await accountId()) === account;
    await before.restore();
    await admin.signInAgain();
    expect(await accountId(), 'the account after a restore').toBe(isKept ? account : null);
    if (!isKept) [password, proven] = ['', false];
    demoted ||= before.demoted;
    suspended ||= before.suspended;
    ended.push(...tokens.owner.splice(0));
    thief.loseSessions();
  };

  /** True if the owner's person at the provider is connected with the account of the address. */
  const isConnected = async (): Promise<boolean> => {
    const account = await accountId();
    return account !== null && (await provider.accountOf('owner')) === account;
  };

  const ownerSignsInAtProvider = async (): Promise<void> => {
    const mustWork = !suspended && (await isConnected());
    await keepVisit(await provider.ownerSignsIn(), mustWork);
  };

  const keepVisit = async (visit: Visit | null, mustWork: boolean): Promise<void> => {
    if (mustWork) expect(visit, 'a sign-in at the provider').not.toBeNull();
    // After a change of address, the provider may have created another account of the owner.
    if (visit === null || visit.userId !== (await accountId())) return;
    tokens.owner.push(visit.token);
    proven = true;
  };

  const ownerUsesPasskey = async (): Promise<void> => {
    const visit = await passkeys.ownerSignsIn();
    if (visit === null) return;
    expect(visit.userId, 'the account of a passkey').toBe(await accountId());
    tokens.owner.push(visit.token);
  };

  /** A session of another account is the attacker's own, and no administrator's. */
  const attackerTriesProvider = async (
    signIn: ReturnType<typeof provider.attackerSignsIn>,
  ): Promise<void> => {
    const visit = await signIn;
    if (visit === null) return;
    if (visit.userId === (await accountId())) tokens.attacker.push(visit.token);
    const headers = { Authorization: `Bearer ${visit.token}` };
    const me = await call('/api/me', { headers }, overrides);
    expect(await me.json()).toMatchObject({ role: 'user' });
  };

  const step = async (name: Step): Promise<void> => {
    switch (name) {
      case 'attacker signs up':
        await signUp('attacker', ATTACKER_PASSWORD);
        return;
      case 'attacker signs up again':
        await signUp('attacker', ATTACKER_PASSWORD, newSecret());
        return;
      case 'attacker signs in':
        return attackerSignsIn();
      case 'attacker resends':
        await (await send('attacker', `${AUTH}/resend`, { type: 'signup', email })).body?.cancel();
        return;
      case 'attacker recovers':
        await (
          await send('attacker', `${AUTH}/recover?redirect_to=${ORIGIN}/promo`, { email })
        ).body?.cancel();
        return;
      case 'attacker guesses a code':
        for (const type of ['signup', 'recovery'])
          await keep(
            'attacker',
            await send('attacker', `${AUTH}/verify`, { type, email, token: '000000' }),
          );
        return;
      case 'attacker changes the password':
        await attackerTries(
          `${AUTH}/user`,
          { password: ATTACKER_PASSWORD, current_password: ATTACKER_PASSWORD },
          'PUT',
        );
        return;
      case 'attacker deletes the account':
        await attackerTries(
          '/api/account',
          { confirm: 'delete my account', links: 'keep' },
          'DELETE',
        );
        return;
      case 'scanner opens every link':
        return openEveryLink(email, overrides);
      case 'owner signs up': {
        const chosen = newPassword();
        const before = await env.DB.prepare('SELECT 1 FROM auth_users WHERE email = ?1')
          .bind(email)
          .first();
        // Only the browser that started this sign-up may correct its password. Others choose one
        // when they confirm.
        if ((await signUp('owner', chosen)) && (before === null || (password !== '' && !proven)))
          password = chosen;
        return;
      }
      case 'owner signs in':
        if (password !== '')
          await keep(
            'owner',
            await send('owner', `${AUTH}/token?grant_type=password`, { email, password }),
          );
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
        const response = await send('owner', `${AUTH}/verify`, {
          type,
          email,
          token,
          sign_up_secret: secrets.owner,
        });
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
        const json = { confirm: 'delete my account', links: 'keep', currentPassword: password };
        const response = await send(
          'owner',
          '/api/account',
          json,
          tokens.owner.at(-1) ?? 'none',
          'DELETE',
        );
        await response.body?.cancel();
        if (response.status === 200) {
          password = '';
          proven = false;
          passkeys.lose();
        }
        return;
      }
      case 'owner adds a passkey':
        return passkeys.ownerAdds(tokens.owner.at(-1), password);
      case 'owner signs in with the passkey':
        return ownerUsesPasskey();
      case 'owner removes the passkey':
        return passkeys.ownerRemoves(tokens.owner.at(-1));
      case 'attacker tries passkeys':
        for (const { token } of await passkeys.attackerTries(tokens.attacker.slice(-2)))
          tokens.attacker.push(token);
        return;
      case 'owner signs in at the provider':
        return ownerSignsInAtProvider();
      case 'owner’s address at the provider changes':
        return provider.changeAddress();
      case 'attacker signs in at the provider':
        return attackerTriesProvider(provider.attackerSignsIn());
      case 'attacker claims the address at the provider':
        // A colleague may get an address that was the owner's, and then it is verified.
        return attackerTriesProvider(provider.attackerClaims(await isConnected()));
      case 'attacker asks for the owner’s code at the provider':
        return attackerTriesProvider(provider.attackerAsksForCode());
      case 'owner proves the mailbox at the provider': {
        const isUnproven = !proven;
        await keepVisit(await provider.ownerProvesMailbox(), false);
        // As with a mailed link, a password from before the first proof is gone.
        if (isUnproven && proven) password = '';
        return;
      }
      case 'admin demotes':
        if (await admin.demote(email)) demoted = true;
        return;
      case 'admin suspends':
        if (await admin.moderate(email, 'disable')) suspended = true;
        return;
      case 'admin lifts the suspension':
        if (await admin.moderate(email, 'enable')) suspended = false;
        return;
      case 'a backup is made':
        copy = { restore: await makeCopy(), account: await accountId(), demoted, suspended };
        return;
      case 'the backup is restored':
        if (copy !== undefined) await restore(copy);
        return;
      case 'thief copies the session':
        return thief.copy(tokens.owner.at(-1));
      case 'thief adds a passkey':
        return passkeys.thiefAdds(thief.token());
      case 'thief makes a key':
        return thief.makeKey();
      case 'thief parks requests':
        return thief.park();
      case 'parked requests arrive':
        return thief.finish();
      case 'owner takes the account back': {
        const notice = (await mailsTo(email)).find(({ subject }) =>
          subject.includes('password was changed'),
        );
        if (notice === undefined) return;
        const token_hash = new URLSearchParams(new URL(notice.link).hash.slice(1)).get(
          'token_hash',
        );
        const response = await send('owner', `${AUTH}/verify`, { type: 'recovery', token_hash });
        if (response.ok) {
          thief.lose();
          passkeys.lose();
        }
        return afterProof(response, true);
      }
      default:
        return factorSteps[name]();
    }
  };

  const check = async (): Promise<void> => {
    expect(tokens.attacker, 'sessions of the attacker').toEqual([]);
    for (const token of tokens.owner.slice(-2)) {
      const status = await statusOf(token, overrides);
      if (suspended) expect(status, 'a session while suspended').not.toBe(200);
    }
    for (const token of ended.slice(-2))
      expect(await statusOf(token, overrides), 'a session from before a restore').toBe(401);
    await thief.check();
    await passkeys.check();
    await checkAccounts(email, { proven, demoted, suspended });
  };

  return {
    step,
    check,
    /**
     * Checks that the owner's password signs in, with the administrator role only where the rules
     * allow it.
     */
    async end(): Promise<void> {
      await thief.finish();
      await check();
      await attackerSignsIn();
      expect(tokens.attacker, 'sessions of the attacker').toEqual([]);
      if (!proven || suspended || password === '') return;
      const response = await send('owner', `${AUTH}/token?grant_type=password`, {
        email,
        password,
      });
      expect(response.status).toBe(200);
      const { access_token }: { access_token: string } = await response.json();
      const token = (await factor.isOn()) ? await factor.finish(access_token) : access_token;
      // The owner has used up every code.
      if (token === null) return;
      const me = await askMe(token, overrides);
      expect(await me.json()).toMatchObject({ email, role: demoted ? 'user' : 'admin' });
    },
  };
}
