import { Hono, type Context } from 'hono';
import { networkOf } from '#worker/api/address.ts';
import type { ApiEnv } from '#worker/api/context.ts';
import { AuthError, badInput, onAuthError } from './auth-problem.ts';
import { checkMetadata, emailOf, objectOf, pkceOf, readBody, textOf } from './body.ts';
import { changeOwnAccount } from './change-account.ts';
import type { Attempt } from './limits.ts';
import { openPost } from './mail.ts';
import type { AuthRequest } from './one-time.ts';
import { exchangeCode } from './pkce.ts';
import { recover, resend } from './recover.ts';
import { redirectTarget } from './redirect-target.ts';
import { authenticate, endSessions, refreshSession } from './sessions.ts';
import { isEmbedded, readAuthSettings } from './settings.ts';
import { publicSettings } from './public-settings.ts';
import { shield } from './shield.ts';
import { signIn } from './sign-in.ts';
import { checkNewPassword, signUp } from './sign-up.ts';
import { signingKeys } from './signing-keys.ts';
import { userJson } from './user-json.ts';
import { followLink, verifyOtp } from './verify-link.ts';

type C = Context<ApiEnv>;

/**
 * The embedded sign-in service: the part of the hosted service's API that its unmodified client uses. Served at
 * /api/auth/v1 unless a hosted service is configured; then nothing is here.
 */
export const authRoutes = new Hono<ApiEnv>();

authRoutes.onError(onAuthError);

authRoutes.use(async (c, next) => {
  // Errors need these, too, or a page of another origin cannot read why (contract §1.4). No cookies: any origin may ask.
  c.header('Access-Control-Allow-Origin', '*');
  c.header('Access-Control-Expose-Headers', 'x-supabase-api-version, x-sb-error-code, retry-after');
  if (!isEmbedded(c.env)) throw new AuthError(404, 'not_found', 'People sign in at another service here.');
  await next();
});

authRoutes.options('*', (c) => {
  c.header('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS');
  c.header('Access-Control-Allow-Headers', 'apikey, authorization, content-type, x-client-info, x-supabase-api-version');
  c.header('Access-Control-Max-Age', '86400');
  return c.body(null, 204);
});

authRoutes.post('/signup', shield('signup'), async (c) => {
  const body = await readBody(c);
  const [email, password, phone] = [textOf(body, 'email'), textOf(body, 'password'), textOf(body, 'phone')];
  const data = checkMetadata(objectOf(body, 'data') ?? {});
  if (email === '' && phone === '') throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  checkNewPassword(password);
  const pkce = pkceOf(body);
  if (email === '') throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled');
  const request = withPost(c);
  const redirectTo = redirectTarget(request.settings, c.req.query('redirect_to') ?? '');
  return c.json(await signUp(request, { email: emailOf(email), password, data, redirectTo, pkce }));
});

authRoutes.post('/token', shield('token'), async (c) => {
  const body = await readBody(c);
  const grant = c.req.query('grant_type');
  if (grant === 'refresh_token') return c.json(await refreshSession(attemptOf(c), textOf(body, 'refresh_token')));
  if (grant === 'pkce') return c.json(await exchangeCode(attemptOf(c), textOf(body, 'auth_code'), textOf(body, 'code_verifier')));
  if (grant !== 'password') throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
  const [email, password] = [textOf(body, 'email'), textOf(body, 'password')];
  if (email === '' && textOf(body, 'phone') === '') throw badInput('missing email or phone');
  if (email === '') throw new AuthError(400, 'phone_provider_disabled', 'Phone logins are disabled');
  return c.json(await signIn(attemptOf(c), email.trim().toLowerCase(), password));
});

authRoutes.get('/user', async (c) => c.json(userJson((await signedIn(c)).account)));

authRoutes.put('/user', shield('user'), async (c) => {
  const { account, session } = await signedIn(c);
  const body = await readBody(c);
  if (body['app_metadata'] !== undefined && body['app_metadata'] !== null)
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
  const change = { password: textOf(body, 'password'), email: textOf(body, 'email'), data: objectOf(body, 'data') };
  return c.json(await changeOwnAccount(attemptOf(c), account, session, change));
});

authRoutes.post('/logout', async (c) => {
  const { session } = await signedIn(c);
  const scope = c.req.query('scope') || 'global';
  if (scope !== 'global' && scope !== 'local' && scope !== 'others')
    throw badInput(`Unsupported logout scope ${JSON.stringify(scope)}`);
  await endSessions(c.get('db'), session, scope);
  return c.body(null, 204);
});

authRoutes.post('/resend', shield('mail'), async (c) => {
  const body = await readBody(c);
  const type = textOf(body, 'type');
  if (!['signup', 'email_change', 'sms', 'phone_change'].includes(type))
    throw badInput('Missing one of these types: signup, email_change, sms, phone_change');
  const pkce = pkceOf(body);
  if (textOf(body, 'email') === '') throw badInput('Type provided requires an email address');
  const wish = { ...wishOf(c, emailOf(textOf(body, 'email'))), pkce };
  if (type === 'signup') await resend(withPost(c), wish);
  return c.json({});
});

authRoutes.post('/recover', shield('mail'), async (c) => {
  const body = await readBody(c);
  const pkce = pkceOf(body);
  if (textOf(body, 'email') === '') throw badInput('Password recovery requires an email');
  await recover(withPost(c), { ...wishOf(c, emailOf(textOf(body, 'email'))), pkce });
  return c.json({});
});

authRoutes.get('/verify', shield('verify'), async (c) => {
  const query = c.req.query();
  // A mail scanner's HEAD or a browser's prefetch must not use the link up.
  if (c.req.method === 'HEAD' || /prefetch/.test(c.req.header('Sec-Purpose') ?? '')) return c.body(null, 204);
  const token = query['token'] || query['token_hash'] || '';
  return c.redirect(await followLink(attemptOf(c), token, query['type'] ?? '', query['redirect_to'] ?? ''), 303);
});

authRoutes.post('/verify', shield('verify'), async (c) => c.json(await verifyOtp(attemptOf(c), await readBody(c))));

authRoutes.get('/settings', (c) => c.json(publicSettings(settingsOf(c))));

authRoutes.get('/health', (c) =>
  c.json({ version: 'v2', name: 'GoTrue', description: 'The embedded sign-in service, compatible with Supabase Auth' }),
);

authRoutes.get('/authorize', () => {
  throw badInput('Unsupported provider: provider is not enabled');
});

authRoutes.get('/.well-known/jwks.json', async (c) => {
  const keys = await signingKeys(c.get('db'), settingsOf(c).secret, c.get('now'));
  c.header('Cache-Control', 'public, max-age=600');
  return c.json({ keys: keys.publicJwks });
});

authRoutes.all('*', () => {
  throw new AuthError(404, 'not_found', 'There is nothing at this address.');
});

const settingsOf = (c: C) => readAuthSettings(c.env, c.req.url);

function attemptOf(c: C): Attempt {
  return { db: c.get('db'), settings: settingsOf(c), network: networkOf(c.req.raw), now: c.get('now') };
}

function withPost(c: C): AuthRequest {
  const attempt = attemptOf(c);
  const post = openPost(c.env, attempt.db, c.req.url, attempt.now, (work) => c.executionCtx.waitUntil(work));
  return { ...attempt, post };
}

const signedIn = (c: C) => authenticate(attemptOf(c), c.req.header('Authorization'));

const wishOf = (c: C, email: string) => ({
  email,
  redirectTo: redirectTarget(settingsOf(c), c.req.query('redirect_to') ?? ''),
});
