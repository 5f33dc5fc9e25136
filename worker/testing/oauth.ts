import { createHash } from 'node:crypto';
import type { GrantRequest } from '#contract/api/oauth.ts';
import { call, ORIGIN } from './call.ts';
import type { Person } from './make.ts';

export const REDIRECT = 'https://assistant.example/callback';
export const VERIFIER = 'v'.repeat(43);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** Registers an app and returns its client id. */
export async function registerApp(redirectUris: string[] = [REDIRECT]): Promise<string> {
  const json = { client_name: 'Assistant', redirect_uris: redirectUris };
  const response = await call('/api/oauth/register', { json });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json<{ client_id: string }>()).client_id;
}

export const authorizePath = (query: Record<string, string>): string =>
  `/api/oauth/authorize?${new URLSearchParams(query).toString()}`;

/** The query of the consent page, as an app writes it. */
export const queryFor = (clientId: string, more: Record<string, string> = {}) => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: REDIRECT,
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  state: 'state of the app',
  resource: `${ORIGIN}/api/mcp`,
  ...more,
});

/** What the page sends besides the query. */
export const GRANT: Pick<GrantRequest, 'scopes' | 'days'> = { scopes: ['links:read'], days: 90 };

/** Grants access on the consent page, and returns the address that the app gets. */
export async function consent(
  { headers }: Pick<Person, 'headers'>,
  query: Record<string, string>,
  grant: Pick<GrantRequest, 'scopes' | 'days'> = GRANT,
): Promise<URL> {
  const response = await call('/api/oauth/authorize', { headers, json: { ...query, ...grant } });
  if (response.status !== 201) throw new Error(await response.text());
  return new URL((await response.json<{ redirectTo: string }>()).redirectTo);
}

export const postForm = (path: string, form: Record<string, string>, see: Partial<Env> = {}) =>
  call(
    path,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    },
    see,
  );

/** Redeems a code, with what the app of `queryFor` sends. */
export const redeem = (
  clientId: string,
  code: string,
  more: Record<string, string> = {},
  see: Partial<Env> = {},
) =>
  postForm(
    '/api/oauth/token',
    {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      code,
      ...more,
    },
    see,
  );
