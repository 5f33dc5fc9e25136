import { Hono, type Context } from 'hono';
import { guardWrites } from '#worker/db/guard-writes.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { pageAfterSignIn } from '#contract/paths.ts';
import { changeAccount } from './accounts/change-account.ts';
import { requireValidPassword, signUp } from './accounts/sign-up.ts';
import { userJson } from './service/user-json.ts';
import {
  checkMetadata,
  parseEmail,
  readBody,
  readObject,
  readSignUpSecret,
  readString,
  requireJson,
} from './service/body.ts';
import { requireCaptcha } from './captcha.ts';
import {
  createAuthContext,
  requireMailer,
  type AuthContext,
  type MailContext,
} from './service/context.ts';
import { AuthError, badInput, onAuthError } from './service/errors.ts';
import { rateLimit } from './limits/rate-limit.ts';
import { finish } from './notices/finish.ts';
import { createNotifier, type MailerInput } from '#worker/mail/mailer.ts';
import { requestRecovery, resendConfirmation } from './mailed-links/request-link.ts';
import { confirmPageOf, describe, verify } from './mailed-links/verify-request.ts';
import { publicSettings } from './public-settings.ts';
import { authenticate, endSessions, refreshSession } from './sessions/sessions.ts';
import { sessionHolds } from './sessions/session-state.ts';
import { signIn } from './sessions/sign-in.ts';
import { isEmbedded, readAuthSettings, sessionMaxMs } from './service/settings.ts';
import { logSignIn } from './service/sign-in-log.ts';
import { signingKeys } from './tokens/signing-keys.ts';

type C = Context<ApiEnv>;

/**
 * The embedded sign-in service: the part of the Supabase Auth API that its unmodified client uses
 * (docs/auth-protocol.md). Served at /api/auth/v1; with a hosted service configured, every path
 * answers 404.
 */
export const authRoutes = new Hono<ApiEnv>();

authRoutes.onError(onAuthError);

authRoutes.use(async (c, next) => {
  // Errors need these too, or a page on another origin cannot read them. Any origin is allowed,
  // because no cookies are used.
  c.header('Access-Control-Allow-Origin', '*');
  c.header('Access-Control-Expose-Headers', 'x-supabase-api-version, x-sb-error-code, retry-after');
  if (!isEmbedded(c.env))
    throw new AuthError(404, 'not_found', 'This deployment uses a hosted sign-in service.');
  if (c.req.method === 'POST' || c.req.method === 'PUT') requireJson(c.req.header('Content-Type'));
  await next();
});

authRoutes.options('*', (c) => {
  c.header('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS');
  c.header(
    'Access-Control-Allow-Headers',
    'apikey, authorization, content-type, x-client-info, x-supabase-api-version',
  );
  c.header('Access-Control-Max-Age', '86400');
  return c.body(null, 204);
});

authRoutes.post('/signup', rateLimit('signup'), async (c) => {
  const body = readBody(c);
  await requireCaptcha(settingsOf(c), body, fetch);
  const [email, password, phone] = [
    readString(body, 'email'),
    readString(body, 'password'),
    readString(body, 'phone'),
  ];
  const data = readObject(body, 'data') ?? {};
  const signUpSecret = readSignUpSecret(data);
  const { sign_up_secret: _, ...metadata } = data;
  checkMetadata(metadata);
  if (email === '' && phone === '')
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  requireValidPassword(password);
  if (email === '')
    throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled');
  const input = { email: parseEmail(email), password, metadata, signUpSecret, next: nextPage(c) };
  const context = authContext(c);
  const join = () => signUp(context, input, () => requireMailer(mailerInput(c)));
  return c.json(await logSignIn(context, 'sign_up', input.email, join));
});

authRoutes.post('/token', rateLimit('token'), async (c) => {
  const body = readBody(c);
  const grant = c.req.query('grant_type');
  if (grant === 'refresh_token')
    return c.json(await refreshSession(authContext(c), readString(body, 'refresh_token')));
  if (grant !== 'password')
    throw new AuthError(
      400,
      'invalid_credentials',
      'Unsupported grant_type: use password or refresh_token',
    );
  const [email, password] = [readString(body, 'email'), readString(body, 'password')];
  if (email === '' && readString(body, 'phone') === '') throw badInput('missing email or phone');
  if (email === '')
    throw new AuthError(400, 'phone_provider_disabled', 'Phone logins are disabled');
  const [context, address] = [authContext(c), email.trim().toLowerCase()];
  return c.json(
    await logSignIn(context, 'password', address, () => signIn(context, address, password)),
  );
});

authRoutes.get('/user', async (c) => c.json(userJson((await signedInOwner(c)).account)));

authRoutes.put('/user', rateLimit('user'), async (c) => {
  const owner = await signedInWriter(c);
  const body = readBody(c);
  if (body['app_metadata'] !== undefined && body['app_metadata'] !== null)
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
  const change = {
    password: readString(body, 'password'),
    currentPassword: readString(body, 'current_password'),
    email: readString(body, 'email'),
    metadata: readObject(body, 'data'),
  };
  const notify = createNotifier(mailerInput(c));
  const changed = changeAccount({ ...authContext(c), ...owner, notify }, change);
  return c.json(await finish(changed, (work) => c.executionCtx.waitUntil(work)));
});

authRoutes.post('/logout', async (c) => {
  const { db, session } = await signedInWriter(c);
  const scope = c.req.query('scope') || 'global';
  if (scope !== 'global' && scope !== 'local' && scope !== 'others')
    throw badInput(
      `Unsupported logout scope ${JSON.stringify(scope)}: use global, local or others`,
    );
  await endSessions(db, session, scope);
  return c.body(null, 204);
});

authRoutes.post('/resend', rateLimit('mail'), async (c) => {
  const body = readBody(c);
  await requireCaptcha(settingsOf(c), body, fetch);
  const type = readString(body, 'type');
  if (!['signup', 'email_change', 'sms', 'phone_change'].includes(type))
    throw badInput('Missing one of these types: signup, email_change, sms, phone_change');
  if (readString(body, 'email') === '') throw badInput('Type provided requires an email address');
  const email = parseEmail(readString(body, 'email'));
  if (type === 'signup') await resendConfirmation(mailContext(c), { email, next: nextPage(c) });
  return c.json({});
});

authRoutes.post('/recover', rateLimit('mail'), async (c) => {
  const body = readBody(c);
  await requireCaptcha(settingsOf(c), body, fetch);
  if (readString(body, 'email') === '') throw badInput('Password recovery requires an email');
  await requestRecovery(mailContext(c), {
    email: parseEmail(readString(body, 'email')),
    next: nextPage(c),
  });
  return c.json({});
});

authRoutes.get('/verify', (c) =>
  c.redirect(confirmPageOf(c.get('origins').app, c.req.query()), 303),
);

authRoutes.post('/verify', rateLimit('verify'), async (c) => {
  const body = readBody(c);
  const context = authContext(c);
  const email = readString(body, 'email').trim().toLowerCase();
  return c.json(
    await logSignIn(context, email === '' ? 'link' : 'code', email || null, () =>
      verify(context, body),
    ),
  );
});

authRoutes.post('/verify/describe', rateLimit('describe'), async (c) =>
  c.json(await describe(authContext(c), readBody(c))),
);

authRoutes.get('/settings', (c) => c.json(publicSettings(settingsOf(c))));

authRoutes.get('/health', (c) =>
  c.json({
    version: 'v2',
    name: 'GoTrue',
    description: 'The embedded sign-in service, compatible with Supabase Auth',
  }),
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

const authContext = (c: C): AuthContext =>
  createAuthContext(c.env, c.get('db'), c.req.raw, c.get('now'));

const mailContext = (c: C): MailContext => ({
  ...authContext(c),
  mailer: requireMailer(mailerInput(c)),
});

const mailerInput = (c: C): MailerInput => ({
  env: c.env,
  db: c.get('db'),
  requestUrl: c.req.url,
  now: c.get('now'),
  waitUntil: (work) => c.executionCtx.waitUntil(work),
});

const signedInOwner = (c: C) => authenticate(authContext(c), c.req.header('Authorization'));

/** The signed-in owner of an account, and a database that writes only while this session lasts. */
async function signedInWriter(c: C) {
  const { account, session } = await signedInOwner(c);
  const db = guardWrites(c.get('db'), {
    holds: (now) => sessionHolds(account.id, session.id, sessionMaxMs(c.env), now),
    check: async () =>
      void (await authenticate(
        { ...authContext(c), now: Date.now() },
        c.req.header('Authorization'),
      )),
  });
  return { account, session, db };
}

/** The page to show after the sign-in that this request starts. */
const nextPage = (c: C): string =>
  pageAfterSignIn(c.req.query('redirect_to') ?? null, c.get('origins').app);
