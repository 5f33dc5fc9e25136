import { plural } from '#contract/language.ts';
import { PASSKEYS_MAX } from '#contract/sign-in/passkeys.ts';
import { describeShortPassword } from '#contract/sign-in/passwords.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { NOT_JSON_TYPE, STORAGE_DOWN, UNKNOWN_ADDRESS } from '#worker/messages/error-entry.ts';
import { FACTOR_PROBLEMS } from './factor-problems.ts';

/** Values for a problem's sentence. `detail` comes from the request. */
type Values = { retryAfterMs: number; detail: string };
type Status = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
type Problem = readonly [
  status: Status,
  code: string,
  text: string | ((values: Values) => string),
  retryAfterSeconds?: number,
];

const RESEND_TYPES = 'Missing one of these types: signup, email_change, sms, phone_change';
const SERVER_LOGS = 'Unexpected failure, please check server logs for more information';
const SESSION_GONE = 'Session from session_id claim in JWT does not exist';
/** `detail` is the administrator's reason. */
const SUSPENDED = ({ detail }: Values) =>
  `This account is suspended.${detail === '' ? '' : ` Reason: ${detail}`}`;

const invalid = (text: Problem[2]) => [400, 'validation_failed', text] as const;
const badJson = (detail: (member: string) => string) =>
  [
    400,
    'bad_json',
    (values: Values) => `Could not parse request body as JSON: ${detail(values.detail)}`,
  ] as const;
const badToken = (detail: (claim: string) => string) =>
  [
    403,
    'bad_jwt',
    (values: Values) =>
      `invalid JWT: unable to parse or verify signature, ${detail(values.detail)}`,
  ] as const;
const limited = (text: (wait: string) => string, code = 'over_request_rate_limit') =>
  [429, code, ({ retryAfterMs }: Values) => text(formatWait(retryAfterMs))] as const;
const mailLimited = (text: (wait: string) => string) => limited(text, 'over_email_send_rate_limit');

/**
 * Every error of the sign-in service. Most codes are those of Supabase Auth, and so are the
 * sentences whose text a client may know.
 */
const PROBLEMS = {
  no_mailer: [500, 'unexpected_failure', 'This server cannot send email yet.'],
  not_set_up: [500, 'unexpected_failure', 'This server is not set up yet.'],
  unexpected: [500, 'unexpected_failure', SERVER_LOGS],
  // The client tries a refresh again after a 503, and keeps the session.
  storage_down: [503, 'unexpected_failure', STORAGE_DOWN, 5],
  hosted: [404, 'not_found', 'This deployment uses a hosted sign-in service.'],
  not_found: [404, 'not_found', UNKNOWN_ADDRESS],

  not_json: [415, 'validation_failed', NOT_JSON_TYPE],
  body_too_large: [413, 'validation_failed', 'The request body is too large'],
  body_too_slow: [408, 'request_timeout', 'The request body took too long to arrive'],
  not_utf8: badJson(() => 'not UTF-8'),
  bad_syntax: badJson(() => 'invalid syntax'),
  not_object: badJson(() => 'an object is expected'),
  member_not_string: badJson((member) => `${member} must be a string`),
  member_not_object: badJson((member) => `${member} must be an object`),
  metadata_too_large: invalid('User metadata is too large'),
  email_too_long: invalid('An email address is too long'),
  email_invalid: invalid('Unable to validate email address: invalid format'),
  sign_in_needs_email: invalid('missing email or phone'),
  resend_needs_type: invalid(RESEND_TYPES),
  resend_needs_email: invalid('Type provided requires an email address'),
  recovery_needs_email: invalid('Password recovery requires an email'),
  verify_needs_type: invalid('Verify requires a verification type'),
  verify_needs_token: invalid('Verify requires either a token or a token hash'),
  verify_needs_hash: invalid('Verify requires a token hash'),
  verify_needs_email: invalid('Only an email address or phone number should be provided on verify'),
  verify_hash_only: invalid('Only the token_hash and type should be provided'),
  verify_type_unknown: invalid('Invalid email verification type'),
  logout_scope_unknown: invalid(
    ({ detail }) => `Unsupported logout scope ${detail}: use global, local or others`,
  ),
  no_provider: invalid('Unsupported provider: provider is not enabled'),
  challenge_invalid: invalid('code_challenge must be a SHA-256 hash, with the method s256'),
  code_missing: invalid('auth_code and code_verifier are required'),
  flows_limited: [
    429,
    'over_request_rate_limit',
    'Too many sign-ins have begun. Wait a minute.',
    60,
  ],
  provider_down: [
    503,
    'provider_down',
    'We couldn’t reach the provider. Try again in a minute.',
    30,
  ],
  flow_expired: [403, 'flow_state_expired', 'This sign-in took too long. Start again.'],
  other_browser: [403, 'bad_code_verifier', 'This sign-in began in another browser. Start again.'],
  /** `detail` is a sentence of worker/messages/sso.ts. */
  provider_refused: [403, 'provider_refused', ({ detail }) => detail],
  stays_connected: [
    409,
    'conflict',
    'Choose a password first. If the provider makes you an administrator, you stay connected.',
  ],
  passwords_off: [
    422,
    'email_provider_disabled',
    'This site has no passwords. Sign in with your company account.',
  ],
  sign_up_off: [422, 'signup_disabled', 'Sign-up with an email address is closed on this site.'],
  no_anonymous: [422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
  no_phone_sign_up: [400, 'phone_provider_disabled', 'Phone signups are disabled'],
  no_phone_sign_in: [400, 'phone_provider_disabled', 'Phone logins are disabled'],
  grant_unknown: [
    400,
    'invalid_credentials',
    'Unsupported grant_type: use password or refresh_token',
  ],
  captcha_failed: [400, 'captcha_failed', 'Complete the captcha, then try again.'],
  captcha_unreachable: [
    503,
    'captcha_unreachable',
    'We couldn’t verify the captcha. Try again in a minute.',
    60,
  ],

  password_empty: invalid('Signup requires a valid password'),
  password_too_long: invalid('Password cannot be longer than 72 characters'),
  password_too_short: [422, 'weak_password', ({ detail }) => describeShortPassword(detail)],
  password_common: [
    422,
    'weak_password',
    'This password is one of the most common ones. Choose another one.',
  ],
  password_is_address: [
    422,
    'weak_password',
    'This password is part of your email address. Choose another one.',
  ],
  same_password: [422, 'same_password', 'New password should be different from the old password.'],
  password_missing: [
    400,
    'current_password_required',
    'Enter your current password, or a code from your email first.',
  ],
  password_wrong: [400, 'current_password_invalid', 'That is not your current password.'],
  /** With a hosted service, whose passwords cannot be checked here. */
  sign_in_too_old: [
    401,
    'reauthentication_needed',
    'Sign out, sign in again, and delete your account within ten minutes.',
  ],
  password_replaced: [
    409,
    'conflict',
    'Your password was changed elsewhere at the same time. Sign in again.',
  ],
  email_fixed: [422, 'validation_failed', 'Changing the email address is not supported'],
  not_admin: [403, 'not_admin', 'Updating app_metadata requires admin privileges'],
  user_exists: [422, 'user_already_exists', 'User already registered'],

  passkeys_full: [
    422,
    'too_many_passkeys',
    `You have ${PASSKEYS_MAX} passkeys. Remove one, then add another.`,
  ],
  passkey_not_added: [
    422,
    'webauthn_credential_exists',
    'This passkey was not added: it is in use already, or you have too many.',
  ],
  passkey_not_found: [404, 'not_found', "We couldn't find that passkey in your account."],
  /** `detail` is a sentence of the schema. */
  passkey_name_invalid: invalid(({ detail }) => detail),
  passkey_too_late: [
    403,
    'webauthn_challenge_expired',
    'This took too long, or was already used. Try again.',
  ],
  passkey_unknown: [
    403,
    'webauthn_credential_not_found',
    'We don’t know this passkey. It may have been removed. Sign in another way.',
  ],
  passkey_invalid: [
    403,
    'webauthn_verification_failed',
    'We couldn’t verify this passkey. Try again, or sign in another way.',
  ],
  passkey_copied: [
    403,
    'webauthn_verification_failed',
    'This passkey may have been copied. Sign in another way and remove it in Settings.',
  ],

  wrong_credentials: [400, 'invalid_credentials', 'Invalid login credentials'],
  email_unconfirmed: [400, 'email_not_confirmed', 'Email not confirmed'],
  /** The answer to a sign-in. */
  suspended: [400, 'user_banned', SUSPENDED],
  link_expired: [403, 'otp_expired', 'Email link is invalid or has expired'],
  code_expired: [403, 'otp_expired', 'Token has expired or is invalid'],
  refresh_token_invalid: invalid('Refresh token is not valid'),
  refresh_token_unknown: [
    400,
    'refresh_token_not_found',
    'Invalid Refresh Token: Refresh Token Not Found',
  ],
  refresh_token_used: [400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'],
  session_expired: [400, 'session_expired', 'Invalid Refresh Token: Session Expired'],
  no_token: [401, 'no_authorization', 'This endpoint requires a valid Bearer token'],
  token_expired: badToken(() => 'token has invalid claims: token is expired'),
  token_claim_invalid: badToken((claim) => `token has invalid claims: ${claim}`),
  token_forged: badToken(() => 'token signature is invalid'),
  token_algorithm_unknown: badToken(() => 'signing method is invalid'),
  token_key_unknown: badToken(() => 'unrecognized JWT kid'),
  token_malformed: badToken(() => 'token is malformed'),
  claim_sub_missing: [403, 'bad_jwt', 'invalid claim: missing sub claim'],
  claim_sub_not_uuid: [403, 'bad_jwt', 'invalid claim: sub claim must be a UUID'],
  claim_session_not_uuid: [403, 'bad_jwt', 'invalid claim: session_id claim must be a UUID'],
  claim_not_user: [403, 'bad_jwt', 'invalid claim: not the token of a signed-in user'],
  token_without_user: [403, 'user_not_found', 'User from sub claim in JWT does not exist'],
  token_without_session: [403, 'session_not_found', SESSION_GONE],
  /** The answer to a request with a token. */
  token_suspended: [403, 'user_banned', SUSPENDED],

  ...FACTOR_PROBLEMS,
  busy: [
    429,
    'over_request_rate_limit',
    'Too many people are signing in right now. Try again in a few seconds.',
    5,
  ],
  requests_limited: [429, 'over_request_rate_limit', 'Request rate limit reached', 60],
  passwords_limited: limited(
    (wait) => `Too many failed sign-in attempts. Try again in ${wait}, or reset your password.`,
  ),
  codes_limited: limited(
    (wait) => `Too many wrong codes. Open the link in the email instead, or try again in ${wait}.`,
  ),
  factor_limited: limited((wait) => `Too many wrong codes. Try again in ${wait}.`),
  sign_ups_limited: limited(
    (wait) => `Too many people signed up from your network. Try again in ${wait}.`,
  ),
  password_changes_limited: limited(
    (wait) => `The password was changed too often. Try again in ${wait}, or reset it by email.`,
  ),
  notices_limited: limited(
    (wait) =>
      `We email you about every change like this one, and you have reached the day's limit. Try again in ${wait}.`,
  ),
  mail_too_soon: [
    429,
    'over_email_send_rate_limit',
    ({ retryAfterMs }) =>
      `For security purposes, you can only request this after ${Math.max(1, Math.ceil(retryAfterMs / 1000))} seconds.`,
  ],
  address_mails_limited: mailLimited(
    (wait) => `This address has been sent too many emails. Try again in ${wait}.`,
  ),
  network_mails_limited: mailLimited(
    (wait) => `Too many emails were requested from your network. Try again in ${wait}.`,
  ),
  all_mails_limited: mailLimited(
    (wait) => `We are sending too many emails right now. Try again in ${wait}.`,
  ),
} as const satisfies Record<string, Problem>;

export type Reason = keyof typeof PROBLEMS;

/** Why a password is weak, in the words of the client; null for another refusal. */
export function weaknessOf(reason: Reason): 'length' | 'pwned' | null {
  if (reason === 'password_too_short') return 'length';
  return reason === 'password_common' || reason === 'password_is_address' ? 'pwned' : null;
}

export type Refusal = { ok: false; reason: Reason } & Partial<Values>;
export type Result<T> = { ok: true; value: T } | Refusal;

export const refuse = (reason: Reason, values: Partial<Values> = {}): Refusal => ({
  ok: false,
  reason,
  ...values,
});

/** `retryAfter` is in seconds. */
export function describeProblem({ reason, retryAfterMs, detail = '' }: Omit<Refusal, 'ok'>) {
  const [status, code, text, seconds]: Problem = PROBLEMS[reason];
  const message =
    typeof text === 'string' ? text : text({ retryAfterMs: retryAfterMs ?? 0, detail });
  const retryAfter = retryAfterMs === undefined ? seconds : Math.ceil(retryAfterMs / 1000);
  return { status, code, message, retryAfter };
}

/** "1 minute", "20 minutes" or "5 hours". */
function formatWait(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  return minutes > 90 ? plural(Math.ceil(minutes / 60), 'hour') : plural(minutes, 'minute');
}
