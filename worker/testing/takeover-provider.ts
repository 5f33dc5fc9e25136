import { env } from 'cloudflare:test';
import { expect } from 'vitest';
import { SSO_PROVIDER } from '#contract/sign-in/sso.ts';
import { forgetProviders } from '#worker/auth/oidc/provider.ts';
import { call, ORIGIN } from './call.ts';
import { startProvider, WITH_PROVIDER } from './oidc-provider.ts';
import { mailsTo, tab } from './sign-in.ts';

/** The settings under which the most can go wrong: a verified address joins an account. */
export const OF_PROVIDER = {
  OIDC_ISSUER: WITH_PROVIDER.OIDC_ISSUER,
  OIDC_CLIENT_ID: WITH_PROVIDER.OIDC_CLIENT_ID,
  OIDC_CLIENT_SECRET: WITH_PROVIDER.OIDC_CLIENT_SECRET,
  OIDC_LINK_BY_EMAIL: 'verified',
  OIDC_ADMIN_GROUP: 'administrators',
} satisfies Partial<Env>;

export type Visit = { token: string; userId: string };

/** The owner and the attacker at the company's provider. Neither is in the administrators' group. */
export async function makeTakeoverProvider(email: string, serial: string, overrides: Partial<Env>) {
  forgetProviders();
  const provider = await startProvider();
  const subjects = { owner: `owner-${serial}`, attacker: `attacker-${serial}` };
  let ownersAddress = email;

  /** The account that the provider's person is connected with. */
  const accountOf = (who: 'owner' | 'attacker') =>
    env.DB.prepare('SELECT user_id FROM auth_identities WHERE subject = ?1')
      .bind(subjects[who])
      .first<string>('user_id');

  /** Signs in at the provider, up to the page that the callback opens. */
  const arrive = async (who: 'owner' | 'attacker', claims: Record<string, unknown>) => {
    const stored = new Map<string, string>();
    const { auth } = tab(overrides, 'pkce', undefined, stored);
    const { data: begun } = await auth.signInWithOAuth({
      provider: SSO_PROVIDER,
      options: { redirectTo: `${ORIGIN}/dashboard`, skipBrowserRedirect: true },
    });
    const page = (await call(begun.url ?? '', {}, overrides)).headers.get('Location') ?? '';
    const back = provider.signIn(page, {
      sub: subjects[who],
      groups: ['Administrators'],
      ...claims,
    });
    const callback = new URL((await call(back, {}, overrides)).headers.get('Location') ?? '');
    const code = callback.searchParams.get('code') ?? '';
    const [, verifier = '""'] = [...stored].find(([key]) => key.endsWith('-code-verifier')) ?? [];
    const proof = { auth_code: code, code_verifier: JSON.parse(verifier) };
    return { auth, code, proof };
  };

  const finish = async (
    { auth, code }: Awaited<ReturnType<typeof arrive>>,
    before: string | null,
  ): Promise<Visit | null> => {
    const { session, user } = (await auth.exchangeCodeForSession(code)).data;
    if (session === null || user === null) return null;
    if (before !== null) expect(user.id, 'the account of a known subject').toBe(before);
    return { token: session.access_token, userId: user.id };
  };

  const signIn = async (
    who: 'owner' | 'attacker',
    claims: { email: string; email_verified: boolean },
  ): Promise<Visit | null> => {
    const before = await accountOf(who);
    return finish(await arrive(who, claims), before);
  };

  /** Signs in without an address, with a code that is mailed to the owner's. */
  const signInByMailbox = async (
    who: 'owner' | 'attacker',
    readCode: () => Promise<string>,
  ): Promise<Visit | null> => {
    const before = await accountOf(who);
    const arrived = await arrive(who, {});
    const post = async (path: string, body: object) => {
      const json = { ...arrived.proof, ...body };
      await (
        await call(`/api/auth/v1/callback/mailbox${path}`, { json }, overrides)
      ).body?.cancel();
    };
    await post('', { email });
    await post('/verify', { token: await readCode() });
    return finish(arrived, before);
  };

  return {
    accountOf,
    ownerSignsIn: () => signIn('owner', { email: ownersAddress, email_verified: true }),
    attackerClaims: async (isVerified: boolean) =>
      signIn('attacker', { email, email_verified: isVerified }),
    attackerSignsIn: () =>
      signIn('attacker', { email: `attacker-${serial}@example.com`, email_verified: true }),
    attackerAsksForCode: () => signInByMailbox('attacker', async () => '000000'),
    ownerProvesMailbox: () =>
      signInByMailbox('owner', async () => {
        const [mail] = await mailsTo(email);
        return /Your code: (\d{6})/.exec(mail?.text ?? '')?.[1] ?? '';
      }),
    /** The owner's address at the provider changes, or changes back. */
    changeAddress(): void {
      ownersAddress = ownersAddress === email ? `moved-${serial}@example.com` : email;
    },
  };
}
