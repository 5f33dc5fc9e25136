import { Hono, type Context } from 'hono';
import type { ApiEnv } from '#worker/http/context.ts';
import { pageAfterSignIn } from '#contract/pages/paths.ts';
import { changeAccount } from './accounts/change-account.ts';
import { signUpWithPassword } from './accounts/sign-up.ts';
import { userJson } from './service/user-json.ts';
import {
  isTooLarge,
  parseEmail,
  readBody,
  readObject,
  readSignUpSecretHash,
  readString,
  requireJson,
} from './service/body.ts';
import { requireCaptcha } from './captcha.ts';
import type { MailContext } from './service/context.ts';
import { AuthError, onAuthError, valueOrThrow } from './service/errors.ts';
import { limitRequests } from './limits/limit-requests.ts';
import { answerSignIn } from './notices/answer-sign-in.ts';
import { describeNoticedSession, endNoticedSession } from './notices/end-noticed-session.ts';
import { finish } from './notices/finish.ts';
import { createMailer, createNotifier, type Mailer } from '#worker/mail/mailer.ts';
import { requestRecovery, resendConfirmation } from './mailed-links/request-link.ts';
import { describeMailedLink, signInWithCode, signInWithLink } from './mailed-links/redeem.ts';
import { confirmPageOf, readLink, readVerification } from './mailed-links/verify-request.ts';
import { lengthProblem } from './password/password-policy.ts';
import { publicSettings } from './public-settings.ts';
import { oidcContext, oidcRoutes, readCode } from './oidc/oidc-routes.ts';
import { signInWithProvider } from './oidc/sign-in.ts';
import { passkeyRoutes } from './passkeys/passkey-routes.ts';
import { factorRoutes } from './second-factor/factor-routes.ts';
import { describeResetLink } from './second-factor/reset.ts';
import {
  authContext,
  mailerInput,
  signedInOwner,
  signedInWriter,
} from './sessions/request-context.ts';
import { endSessions } from './service/end-sessions.ts';
import { refreshSession } from './sessions/sessions.ts';
import { signInWithPassword } from './sessions/sign-in.ts';
import { readAuthSettings } from './service/settings.ts';
import { isEmbedded } from '#worker/redirect/sign-in-settings.ts';
import { signingKeys } from './tokens/signing-keys.ts';

type C = Context<ApiEnv>;

/**
 * The embedded sign-in service at /api/auth/v1: the part of the Supabase Auth API that its
 * unmodified client uses (docs/auth-protocol.md). With a hosted service configured, every path
 * answers 404.
 */
export const authRoutes = new Hono<ApiEnv>();

authRoutes.onError(onAuthError);

authRoutes.use(async (c, next) => {
  // Errors need these headers too, or a page on another origin cannot read them. Any origin is
  // allowed, because no cookies are used.
  c.header('Access-Control-Allow-Origin', '*');
  c.header('Access-Control-Expose-Headers', 'x-supabase-api-version, x-sb-error-code, retry-after');
  if (!isEmbedded(c.env)) throw new AuthError('hosted');
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

authRoutes.post('/signup', limitRequests('signup'), async (c) => {
  requirePasswords(c);
  if (settingsOf(c).signUp !== 'open') throw new AuthError('sign_up_off');
  const body = readBody(c);
  await requireCaptcha(settingsOf(c), body, fetch);
  const [email, password, phone] = [
    readString(body, 'email'),
    readString(body, 'password'),
    readString(body, 'phone'),
  ];
  const data = readObject(body, 'data') ?? {};
  const { sign_up_secret: _, ...metadata } = data;
  if (isTooLarge(metadata)) throw new AuthError('metadata_too_large');
  if (email === '' && phone === '') throw new AuthError('no_anonymous');
  const tooShort = lengthProblem(password, settingsOf(c).passwordMin);
  if (tooShort !== null) throw new AuthError(tooShort.reason, tooShort);
  if (email === '') throw new AuthError('no_phone_sign_up');
  const input = {
    email: parseEmail(email),
    password,
    metadata,
    signUpSecretHash: readSignUpSecretHash(data),
    next: nextPage(c),
  };
  const context = authContext(c);
  const result = await signUpWithPassword(context, input, () => requireMailer(c));
  return answerSignIn(c, context, 'sign_up', input.email, result);
});

authRoutes.post('/token', limitRequests('token'), async (c) => {
  const body = readBody(c);
  const grant = c.req.query('grant_type');
  if (grant === 'refresh_token')
    return c.json(
      valueOrThrow(await refreshSession(authContext(c), readString(body, 'refresh_token'))),
    );
  const atProvider = grant === 'pkce' ? oidcContext(c) : null;
  if (atProvider !== null) {
    const result = await signInWithProvider(atProvider, readCode(c));
    return answerSignIn(c, atProvider, 'sso', null, result);
  }
  if (grant !== 'password') throw new AuthError('grant_unknown');
  requirePasswords(c);
  const [email, password] = [readString(body, 'email'), readString(body, 'password')];
  if (email === '' && readString(body, 'phone') === '') throw new AuthError('sign_in_needs_email');
  if (email === '') throw new AuthError('no_phone_sign_in');
  const [context, address] = [authContext(c), email.trim().toLowerCase()];
  const result = await signInWithPassword(context, address, password);
  return answerSignIn(c, context, 'password', address, result);
});

authRoutes.get('/user', async (c) => {
  const { account, session } = await signedInOwner(c);
  return c.json(userJson(account, session));
});

authRoutes.put('/user', limitRequests('user'), async (c) => {
  const owner = await signedInWriter(c);
  const body = readBody(c);
  if (body['app_metadata'] !== undefined && body['app_metadata'] !== null)
    throw new AuthError('not_admin');
  const change = {
    password: readString(body, 'password'),
    currentPassword: readString(body, 'current_password'),
    email: readString(body, 'email'),
    metadata: readObject(body, 'data'),
  };
  const notify = createNotifier(mailerInput(c));
  const changed = changeAccount({ ...authContext(c), ...owner, notify }, change);
  return c.json(valueOrThrow(await finish(changed, (work) => c.executionCtx.waitUntil(work))));
});

authRoutes.post('/logout', async (c) => {
  const { db, session } = await signedInWriter(c);
  const scope = c.req.query('scope') || 'global';
  if (scope !== 'global' && scope !== 'local' && scope !== 'others')
    throw new AuthError('logout_scope_unknown', { detail: JSON.stringify(scope) });
  await endSessions(db, session, scope, c.get('now'));
  return c.body(null, 204);
});

authRoutes.post('/resend', limitRequests('mail'), async (c) => {
  requirePasswords(c);
  const body = readBody(c);
  await requireCaptcha(settingsOf(c), body, fetch);
  const type = readString(body, 'type');
  if (!['signup', 'email_change', 'sms', 'phone_change'].includes(type))
    throw new AuthError('resend_needs_type');
  if (readString(body, 'email') === '') throw new AuthError('resend_needs_email');
  const email = parseEmail(readString(body, 'email'));
  if (type === 'signup')
    valueOrThrow(await resendConfirmation(mailContext(c), { email, next: nextPage(c) }));
  return c.json({});
});

authRoutes.post('/recover', limitRequests('mail'), async (c) => {
  requirePasswords(c);
  const body = readBody(c);
  await requireCaptcha(settingsOf(c), body, fetch);
  if (readString(body, 'email') === '') throw new AuthError('recovery_needs_email');
  const email = parseEmail(readString(body, 'email'));
  valueOrThrow(await requestRecovery(mailContext(c), { email, next: nextPage(c) }));
  return c.json({});
});

authRoutes.get('/verify', (c) =>
  c.redirect(confirmPageOf(c.get('origins').app, c.req.query()), 303),
);

authRoutes.post('/verify', limitRequests('verify'), async (c) => {
  requirePasswords(c);
  const body = readBody(c);
  const context = authContext(c);
  const email = readString(body, 'email').trim().toLowerCase();
  const input = readVerification(body);
  const result =
    'code' in input ? await signInWithCode(context, input) : await signInWithLink(context, input);
  return answerSignIn(c, context, email === '' ? 'link' : 'code', email || null, result);
});

authRoutes.post('/verify/describe', limitRequests('describe'), async (c) => {
  const [context, body] = [authContext(c), readBody(c)];
  if (readString(body, 'type') === 'session')
    return c.json(
      valueOrThrow(await describeNoticedSession(c.get('db'), readString(body, 'token_hash'))),
    );
  const link = readLink(body);
  const reset = await describeResetLink(context, link.hash);
  return c.json(reset ?? valueOrThrow(await describeMailedLink(context, link)));
});

/** Ends the session that the owner was told about. It needs no sign-in, only the mail's token. */
authRoutes.post('/verify/end-session', limitRequests('verify'), async (c) => {
  const token = readString(readBody(c), 'token_hash');
  const { keeps_password } = valueOrThrow(await endNoticedSession(authContext(c), token));
  return c.json({ keeps_password });
});

authRoutes.get('/settings', (c) => c.json(publicSettings(settingsOf(c))));

authRoutes.get('/health', (c) =>
  c.json({
    version: 'v2',
    name: 'GoTrue',
    description: 'The embedded sign-in service, compatible with Supabase Auth',
  }),
);

authRoutes.route('/', oidcRoutes);
authRoutes.route('/', passkeyRoutes);
authRoutes.route('/', factorRoutes);

authRoutes.get('/.well-known/jwks.json', async (c) => {
  const keys = await signingKeys(c.get('db'), settingsOf(c).secret, c.get('now'));
  c.header('Cache-Control', 'public, max-age=600');
  return c.json({ keys: keys.publicJwks });
});

authRoutes.all('*', () => {
  throw new AuthError('not_found');
});

/** Passwords and mailed links end together: a link would be a way around the provider. */
function requirePasswords(c: C): void {
  if (!settingsOf(c).passwords) throw new AuthError('passwords_off');
}

const settingsOf = (c: C) => readAuthSettings(c.env, c.req.url);

const mailContext = (c: C): MailContext => ({
  ...authContext(c),
  mailer: requireMailer(c),
});

/** Throws 500 if this server cannot send email, for known and unknown addresses alike. */
function requireMailer(c: C): Mailer {
  const mailer = createMailer(mailerInput(c));
  if (mailer === null) throw new AuthError('no_mailer');
  return mailer;
}

const nextPage = (c: C): string =>
  pageAfterSignIn(c.req.query('redirect_to') ?? null, c.get('origins').app);
