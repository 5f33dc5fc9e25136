import {
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { APP_SCOPES } from '#contract/api/oauth.ts';
import { builtAssets } from './assets.ts';
import { call, ORIGIN } from './call.ts';
import type { Person } from './make.ts';
import { consent, REDIRECT } from './oauth.ts';

/** The Worker as the client's network. */
const workerFetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
  const { body } = init;
  const text = body instanceof URLSearchParams ? body.toString() : body;
  return call(String(input), { ...init, ...(text == null ? {} : { body: text }) }, builtAssets);
};

/** What an assistant stores, and the address that it opens in the member's browser. */
function makeProvider(): OAuthClientProvider & { opened: () => URL } {
  const kept = new Map<string, unknown>();
  const read = (name: string) => Object(kept.get(name));
  return {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'Official', redirect_uris: [REDIRECT] },
    state: () => 'its state',
    clientInformation: () => (kept.has('client') ? read('client') : undefined),
    saveClientInformation: (client) => void kept.set('client', client),
    tokens: () => (kept.has('tokens') ? read('tokens') : undefined),
    saveTokens: (tokens) => void kept.set('tokens', tokens),
    redirectToAuthorization: (url) => void kept.set('opened', url),
    saveCodeVerifier: (verifier) => void kept.set('verifier', verifier),
    codeVerifier: () => String(kept.get('verifier')),
    opened: () => read('opened'),
  };
}

/**
 * Connects the official client as an assistant does: by the address of the MCP server alone, with
 * OAuth and the consent of `person`.
 */
export async function connectAssistant(person: Person): Promise<Client> {
  const authProvider = makeProvider();
  const url = new URL(`${ORIGIN}/api/mcp`);
  const newTransport = () =>
    new StreamableHTTPClientTransport(url, { authProvider, fetch: workerFetch });
  const first = newTransport();
  const isRefused = await new Client({ name: 'test', version: '1' }).connect(first).then(
    () => false,
    (error: unknown) => error instanceof UnauthorizedError,
  );
  if (!isRefused) throw new Error('The server asked for no authorization.');
  const query = Object.fromEntries(authProvider.opened().searchParams);
  const back = await consent(person, query, { scopes: [...APP_SCOPES], days: 90 });
  await first.finishAuth(back.searchParams.get('code') ?? '');
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(newTransport());
  return client;
}
