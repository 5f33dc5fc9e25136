/**
 * The input of the sign-in routes by name, whose bodies have no schema. `query` and `body` are
 * valid.
 */
export const SIGN_IN_INPUTS: Readonly<
  Record<string, { query?: string; body?: Record<string, unknown> }>
> = {
  'POST /api/auth/v1/signup': {
    body: { email: 'a@example.com', password: 'correct horse', phone: '', data: {} },
  },
  'POST /api/auth/v1/token': {
    query: '?grant_type=password',
    body: { email: 'a@example.com', password: 'x' },
  },
  'GET /api/auth/v1/user': {},
  'PUT /api/auth/v1/user': {
    body: { password: 'correct horse', current_password: 'x', email: '', data: {} },
  },
  'GET /api/auth/v1/user/identities': {},
  'POST /api/auth/v1/user/identities': { body: { auth_code: 'x', code_verifier: 'y' } },
  'POST /api/auth/v1/user/identities/authorize': { body: { code_challenge: 'x' } },
  'DELETE /api/auth/v1/user/identities': {},
  'POST /api/auth/v1/logout': { query: '?scope=local' },
  'POST /api/auth/v1/resend': { body: { type: 'signup', email: 'a@example.com' } },
  'POST /api/auth/v1/recover': { body: { email: 'a@example.com' } },
  'GET /api/auth/v1/verify': {},
  'POST /api/auth/v1/verify': { body: { type: 'signup', token: '', token_hash: 'x', email: '' } },
  'POST /api/auth/v1/verify/describe': { body: { type: 'signup', token_hash: 'x' } },
  'POST /api/auth/v1/verify/end-session': { body: { token_hash: 'x' } },
  'GET /api/auth/v1/settings': {},
  'GET /api/auth/v1/health': {},
  'GET /api/auth/v1/authorize': {},
  'GET /api/auth/v1/callback': {},
  'POST /api/auth/v1/callback/mailbox': {
    body: { auth_code: 'x', code_verifier: 'y', email: 'a@example.com' },
  },
  'POST /api/auth/v1/callback/mailbox/verify': {
    body: { auth_code: 'x', code_verifier: 'y', token: '000000' },
  },
  'GET /api/auth/v1/provider-logout': {},
  'GET /api/auth/v1/factors': {},
  'POST /api/auth/v1/factors': { body: { factor_type: 'totp', current_password: 'x' } },
  'POST /api/auth/v1/factors/:id/challenge': { body: {} },
  'POST /api/auth/v1/factors/:id/verify': { body: { code: '000000' } },
  'DELETE /api/auth/v1/factors/:id': { body: { current_password: 'x' } },
  'POST /api/auth/v1/factors/recovery-codes': { body: { current_password: 'x' } },
  'POST /api/auth/v1/factors/reset': { body: {} },
  'POST /api/auth/v1/factors/reset/stop': { body: { token: 'x' } },
  'POST /api/auth/v1/factors/reset/finish': { body: { token: 'x' } },
  'POST /api/auth/v1/passkeys/authentication/options': {},
  'POST /api/auth/v1/passkeys/authentication/verify': {
    body: { challenge_id: 'x', credential: {} },
  },
  'POST /api/auth/v1/passkeys/proof/options': {},
  'POST /api/auth/v1/passkeys/proof/verify': { body: { challenge_id: 'x', credential: {} } },
  'POST /api/auth/v1/passkeys/registration/options': { body: { current_password: 'x' } },
  'POST /api/auth/v1/passkeys/registration/verify': { body: { challenge_id: 'x', credential: {} } },
  'GET /api/auth/v1/passkeys': {},
  'PATCH /api/auth/v1/passkeys/:id': { body: { friendly_name: 'x' } },
  'DELETE /api/auth/v1/passkeys/:id': {},
  'GET /api/auth/v1/.well-known/jwks.json': {},
};
