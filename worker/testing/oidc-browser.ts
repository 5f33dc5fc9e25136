import { expect } from 'vitest';
import { SSO_PROVIDER } from '#contract/sign-in/sso.ts';
import { call, ORIGIN } from './call.ts';
import { WITH_PROVIDER, type startProvider } from './oidc-provider.ts';
import { tab } from './sign-in.ts';

export type Provider = Awaited<ReturnType<typeof startProvider>>;
export type Claims = Parameters<Provider['signIn']>[1];

export const address = (): string => `${crypto.randomUUID().slice(0, 8)}@acme.example`;

/** The claims of somebody whose address the provider has verified. */
export const person = (email = address()) => ({
  sub: crypto.randomUUID(),
  email,
  email_verified: true,
});

/** A browser: the unmodified client, which keeps the verifier of its flow. */
export function browser(settings: Partial<Env> = {}) {
  const overrides = { ...WITH_PROVIDER, ...settings };
  const stored = new Map<string, string>();
  const { auth } = tab(overrides, 'pkce', undefined, stored);
  return {
    auth,
    /** The verifier of the flow that the client has begun, as the callback page reads it. */
    verifier(): string {
      const [, text = '""'] = [...stored].find(([key]) => key.endsWith('-code-verifier')) ?? [];
      return String(JSON.parse(text));
    },
    /** Opens the provider's page, as the button does. */
    async begin(): Promise<string> {
      const { data } = await auth.signInWithOAuth({
        provider: SSO_PROVIDER,
        options: { redirectTo: `${ORIGIN}/settings`, skipBrowserRedirect: true },
      });
      const response = await call(data.url ?? '', {}, overrides);
      expect(response.status).toBe(303);
      return response.headers.get('Location') ?? '';
    },
    async open(callback: string): Promise<URL> {
      const response = await call(callback, {}, overrides);
      expect(response.status).toBe(303);
      return new URL(response.headers.get('Location') ?? '');
    },
    async signIn(provider: Provider, claims: Claims) {
      const page = await this.open(provider.signIn(await this.begin(), claims));
      return auth.exchangeCodeForSession(page.searchParams.get('code') ?? '');
    },
  };
}
