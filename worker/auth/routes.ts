import { Hono, type Context } from 'hono';
import type { ApiEnv } from '#worker/http/context.ts';
import { pageAfterSignIn } from '#contract/paths.ts';
import { makeAttempt, type Attempt } from './limits/attempt.ts';
import { AuthError, badInput, onAuthError } from './errors.ts';
import { checkMetadata, emailOf, objectOf, readBody, requireJson, signUpSecretOf, textOf } from './body.ts';
import { requireCaptcha } from './captcha.ts';
import { changeOwnAccount } from './change-account.ts';
import { openNotices, openPost } from './mail/mailer.ts';
import type { AuthRequest } from './mailed-links/one-time.ts';
import { publicSettings } from './public-settings.ts';
import { recover, resend } from './mailed-links/recover.ts';
import { authenticate, endSessions, refreshSession } from './sessions/sessions.ts';
import { isEmbedded, readAuthSettings } from './settings.ts';
import { shield } from './limits/shield.ts';
import { signIn } from './sign-in.ts';
import { checkNewPassword, signUp } from './sign-up.ts';
import { signingKeys } from './tokens/signing-keys.ts';
import { userJson } from './user-json.ts';
import { describeRequest, pageOfLink, verify } from './mailed-links/verify-request.ts';

type C = Context<ApiEnv>;

/**
 * The embedded sign-in service: the part of the hosted service's API that its unmodified client uses. Served at
 * /api/auth/v1 unless a hosted service is configured; then nothing is here.
 */
export const authRoutes = new Hono<ApiEnv>();

authRoutes.onError(onAuthError);

authRoutes.use(async (c, next) => {
  // Errors need these, too, or a page of another origin cannot read why. No cookies: any origin may ask.
  c.header('Access-Control-Allow-Origin', '*');
  c.header('Access-Control-Expose-Headers', 'x-supabase-api-version, x-sb-error-code, retry-after');
  if (!isEmbedded(c.env)) throw new AuthError(404, 'not_found', 'People sign in at another service here.');
  if (c.req.method === 'POST' || c.req.method === 'PUT') requireJson(c.req.header('Content-Type'));
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
  await requireCaptcha(settingsOf(c), body, fetch);
  const [email, password, phone] = [textOf(body, 'email'), textOf(body, 'password'), textOf(body, 'phone')];
  const { sign_up_secret: _, ...data } = objectOf(body, 'data') ?? {};
  const signUpSecret = signUpSecretOf(objectOf(body, 'data') ?? {});
  checkMetadata(data);
  if (email === '' && phone === '') throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  checkNewPassword(password);
  if (email === '') throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled');
  return c.json(await signUp(withPost(c), { email: emailOf(email), password, data, signUpSecret, next: nextOf(c) }));
});

authRoutes.post('/token', shield('token'), async (c) => {
  const body = await readBody(c);
  const grant = c.req.query('grant_type');
  if (grant === 'refresh_token') return c.json(await refreshSession(attemptOf(c), textOf(body, 'refresh_token')));
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
  const change = {
    password: textOf(body, 'password'),
    currentPassword: textOf(body, 'current_password'),
    email: textOf(body, 'email'),
    data: objectOf(body, 'data'),
  };
  const notify = openNotices(c.env, c.get('db'), c.req.url, c.get('now'), (work) => c.executionCtx.waitUntil(work));
  return c.json(await changeOwnAccount({ ...attemptOf(c), notify }, account, session, change));
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
  await requireCaptcha(settingsOf(c), body, fetch);
  const type = textOf(body, 'type');
  if (!['signup', 'email_change', 'sms', 'phone_change'].includes(type))
    throw badInput('Missing one of these types: signup, email_change, sms, phone_change');
  if (textOf(body, 'email') === '') throw badInput('Type provided requires an email address');
  const email = emailOf(textOf(body, 'email'));
  if (type === 'signup') await resend(withPost(c), { email, next: nextOf(c) });
  return c.json({});
});

authRoutes.post('/recover', shield('mail'), async (c) => {
  const body = await readBody(c);
  await requireCaptcha(settingsOf(c), body, fetch);
  if (textOf(body, 'email') === '') throw badInput('Password recovery requires an email');
  await recover(withPost(c), { email: emailOf(textOf(body, 'email')), next: nextOf(c) });
  return c.json({});
});

authRoutes.get('/verify', (c) => c.redirect(pageOfLink(c.get('origins').app, c.req.query()), 303));

authRoutes.post('/verify', shield('verify'), async (c) => c.json(await verify(attemptOf(c), await readBody(c))));

authRoutes.post('/verify/describe', shield('describe'), async (c) =>
  c.json(await describeRequest(attemptOf(c), await readBody(c))),
);

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

const attemptOf = (c: C): Attempt => makeAttempt(c.env, c.get('db'), c.req.raw, c.get('now'));

function withPost(c: C): AuthRequest {
  const attempt = attemptOf(c);
  const post = openPost(c.env, attempt.db, c.req.url, attempt.now, (work) => c.executionCtx.waitUntil(work));
  return { ...attempt, post };
}

const signedIn = (c: C) => authenticate(attemptOf(c), c.req.header('Authorization'));

/** The page that the sender of this request wants to see once signed in. */
const nextOf = (c: C): string => pageAfterSignIn(c.req.query('redirect_to') ?? null, c.get('origins').app);
