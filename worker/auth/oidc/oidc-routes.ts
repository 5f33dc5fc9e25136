import { Hono, type Context } from 'hono';
import { pageAfterSignIn } from '#contract/pages/paths.ts';
import {
  SSO_CALLBACK,
  SSO_PROVIDER,
  type SsoIdentityResponse,
  type SsoOutcome,
} from '#contract/sign-in/sso.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { createMailer } from '#worker/mail/mailer.ts';
import { limitRequests } from '#worker/auth/limits/limit-requests.ts';
import { parseEmail, readBody, readString } from '#worker/auth/service/body.ts';
import { AuthError, valueOrThrow } from '#worker/auth/service/errors.ts';
import {
  authContext,
  mailerInput,
  notifierOf,
  signedInOwner,
  signedInWriter,
} from '#worker/auth/sessions/request-context.ts';
import { authorizationUrl, askProvider, type Trip } from './ask-provider.ts';
import { beginConnecting, finishConnecting } from './connect-account.ts';
import { recordFailure } from './failures.ts';
import { deleteFlow, startFlow, storeClaims, takeState, type NewFlow } from './flows.ts';
import { disconnect, findIdentityOf } from './identities.ts';
import { mailMailboxCode, missingProof, acceptMailboxCode } from './mailbox-code.ts';
import { findProvider } from './provider.ts';
import type { OidcContext } from './sign-in.ts';

type C = Context<ApiEnv>;

/**
 * Sign-in at the company's provider (docs/sign-in.md). Without a provider, these routes are errors.
 */
export const oidcRoutes = new Hono<ApiEnv>();

/** The client opens this address in the browser. */
oidcRoutes.get('/authorize', limitRequests('authorize'), async (c) => {
  const context = oidcContext(c);
  if (context === null || c.req.query('provider') !== SSO_PROVIDER)
    throw new AuthError('no_provider');
  const next = pageAfterSignIn(c.req.query('redirect_to') ?? null, c.get('origins').app);
  const challenge = readChallenge(
    c.req.query('code_challenge'),
    c.req.query('code_challenge_method'),
  );
  const url = await begin(c, context, { challenge, next, userId: null });
  return c.redirect(url ?? signInPage(c, 'unavailable', next), 303);
});

/**
 * The provider sends the browser here. The answer is a page of the application with a code that
 * only the browser that began can redeem.
 */
oidcRoutes.get('/callback', limitRequests('authorize'), async (c) => {
  const context = oidcContext(c);
  if (context === null) throw new AuthError('no_provider');
  const { db, now, oidc } = context;
  const query = new URL(c.req.url).searchParams;
  const state = query.get('state') ?? '';
  const flow = await takeState(db, state, now);
  // Anybody can open this address, so an unknown state leaves no trace.
  if (flow === undefined) return c.redirect(signInPage(c, 'expired'), 303);
  const provider = await findProvider(context);
  const claims = provider.ok
    ? await askProvider(provider.value, oidc, tripOf(c, context, state), query)
    : provider;
  if (!claims.ok) {
    if (provider.ok) await recordFailure(db, claims, now);
    await deleteFlow(db, flow);
    const isCanceled = claims.detail === 'access_denied';
    return c.redirect(signInPage(c, isCanceled ? 'canceled' : 'failed', flow.next), 303);
  }
  const code = await storeClaims(db, flow, claims.value, now);
  const page = new URL(`${c.get('origins').app}/auth/callback`);
  page.searchParams.set('code', code);
  page.searchParams.set('next', flow.next);
  if (flow.user_id !== null) page.searchParams.set('connect', '1');
  // A server that sends no mail refuses the sign-in with its reason instead.
  const proof =
    flow.user_id === null && context.notify !== null
      ? await missingProof(context, claims.value)
      : null;
  if (proof !== null) {
    page.searchParams.set('mailbox', proof);
    // In the fragment, which no server, log or redirect sees.
    const { email } = claims.value;
    if (email !== '') page.hash = new URLSearchParams({ email }).toString();
  }
  return c.redirect(page.href, 303);
});

/** Emails the code that proves an address that the provider has not verified. */
oidcRoutes.post('/callback/mailbox', limitRequests('mail'), async (c) => {
  const context = requireOidc(c);
  const email = parseEmail(readString(readBody(c), 'email'));
  const mailer = createMailer(mailerInput(c));
  if (mailer === null) throw new AuthError('no_mailer');
  valueOrThrow(await mailMailboxCode({ ...context, mailer }, readCode(c), email));
  return c.json({});
});

/** Takes the mailed code. The browser then redeems the code of the callback for a session. */
oidcRoutes.post('/callback/mailbox/verify', limitRequests('verify'), async (c) => {
  const token = readString(readBody(c), 'token').trim();
  valueOrThrow(await acceptMailboxCode(requireOidc(c), readCode(c), token));
  return c.json({});
});

oidcRoutes.get('/user/identities', async (c) => {
  const { account } = await signedInOwner(c);
  const { settings, db } = authContext(c);
  if (settings.oidc === null) throw new AuthError('no_provider');
  const identity = await findIdentityOf(db, account.id, settings.oidc.issuer);
  return c.json({
    identity:
      identity === undefined
        ? null
        : {
            email: identity.email,
            connected_at: new Date(identity.linked_at).toISOString(),
            used_at: new Date(identity.used_at).toISOString(),
          },
    can_disconnect:
      settings.passwords && account.password_hash !== null && identity?.in_admin_group !== true,
  } satisfies SsoIdentityResponse);
});

/** Begins to connect the provider with the signed-in account. */
oidcRoutes.post('/user/identities/authorize', limitRequests('user'), async (c) => {
  const writer = await signedInWriter(c);
  const owner = { ...requireOidc(c), ...writer };
  const body = readBody(c);
  const challenge = readChallenge(readString(body, 'code_challenge'), 's256');
  valueOrThrow(await beginConnecting(owner, readString(body, 'current_password')));
  const url = await begin(c, owner, { challenge, next: '/settings', userId: owner.account.id });
  if (url === null) throw new AuthError('provider_down');
  return c.json({ url });
});

oidcRoutes.post('/user/identities', limitRequests('user'), async (c) => {
  const owner = await signedInWriter(c);
  const presented = readCode(c);
  valueOrThrow(await finishConnecting({ ...requireOidc(c), ...owner }, presented));
  return c.json({});
});

oidcRoutes.delete('/user/identities', limitRequests('user'), async (c) => {
  const { account, db } = await signedInWriter(c);
  const { oidc, settings } = requireOidc(c);
  if (!settings.passwords || !(await disconnect(db, account.id, oidc.issuer)))
    throw new AuthError('stays_connected');
  return c.body(null, 204);
});

/** Opens the provider's sign-out page, for shared browsers. It asks before it ends a session. */
oidcRoutes.get('/provider-logout', limitRequests('authorize'), async (c) => {
  const context = oidcContext(c);
  if (context === null) throw new AuthError('no_provider');
  const app = c.get('origins').app;
  const provider = await findProvider(context);
  if (!provider.ok) return c.redirect(signInPage(c, 'unavailable'), 303);
  const end = URL.parse(provider.value.server.end_session_endpoint ?? '');
  if (end === null) return c.redirect(signInPage(c, 'stays'), 303);
  end.searchParams.set('client_id', context.oidc.clientId);
  end.searchParams.set('post_logout_redirect_uri', `${app}/`);
  return c.redirect(end.href, 303);
});

/** Starts a flow and returns the provider's page; null if the provider cannot be reached. */
async function begin(c: C, context: OidcContext, flow: NewFlow): Promise<string | null> {
  const provider = await findProvider(context);
  if (!provider.ok) return null;
  const state = await startFlow(context, flow);
  if (state === null) throw new AuthError('flows_limited');
  return authorizationUrl(provider.value, context.oidc, tripOf(c, context, state));
}

const tripOf = (c: C, { settings }: OidcContext, state: string): Trip => ({
  state,
  redirectUri: c.get('origins').app + SSO_CALLBACK,
  secret: settings.secret,
});

/** The sign-in page, which says what happened in its own words. */
function signInPage(c: C, outcome: SsoOutcome, next?: string): string {
  const page = new URL(`${c.get('origins').app}/auth`);
  page.searchParams.set('sso', outcome);
  if (next !== undefined) page.searchParams.set('next', next);
  return page.href;
}

/** Reads an S256 challenge. The client writes the method in lower case. */
function readChallenge(challenge = '', method = ''): string {
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge) || method.toLowerCase() !== 's256')
    throw new AuthError('challenge_invalid');
  return challenge;
}

export function readCode(c: C) {
  const body = readBody(c);
  const [code, verifier] = [readString(body, 'auth_code'), readString(body, 'code_verifier')];
  if (code === '' || verifier === '') throw new AuthError('code_missing');
  return { code, verifier };
}

/** Null without a provider. */
export function oidcContext(c: C): OidcContext | null {
  const context = authContext(c);
  const { oidc } = context.settings;
  return oidc === null ? null : { ...context, oidc, notify: notifierOf(c) };
}

function requireOidc(c: C): OidcContext {
  const context = oidcContext(c);
  if (context === null) throw new AuthError('no_provider');
  return context;
}
