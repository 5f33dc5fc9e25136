import { SECOND_FACTOR_ERRORS } from '#worker/messages/second-factor.ts';

/** The errors of the second factor, in the form of problems.ts. */
export const FACTOR_PROBLEMS = {
  /** The token is of a sign-in that waits for its code. */
  second_factor_needed: [401, 'insufficient_aal', SECOND_FACTOR_ERRORS.second_factor_unfinished[1]],
  /** The session is complete, but its code is older than ten minutes. */
  second_factor_stale: [403, 'second_factor_required', SECOND_FACTOR_ERRORS.second_factor_stale[1]],
  factor_exists: [
    422,
    'mfa_verified_factor_exists',
    'This account has an authenticator app. Turn it off before you set up another one.',
  ],
  factor_unknown: [404, 'mfa_factor_not_found', 'This account has no authenticator app.'],
  factor_type_unknown: [400, 'validation_failed', 'Use the factor type totp.'],
  factor_code_wrong: [
    422,
    'mfa_verification_failed',
    'That code is wrong or was used before. Wait for the next one, and check the clock of your phone.',
  ],
  factor_unreadable: [
    422,
    'mfa_verification_failed',
    'We can no longer check codes of your app. Use a recovery code, or ask for a reset by email.',
  ],
  factor_setup_ended: [
    422,
    'mfa_verification_failed',
    'Setting up this app took too long. Cancel, and begin again.',
  ],
  reset_waits: [409, 'conflict', 'A reset was already requested. See the email that we sent you.'],
  reset_unknown: [403, 'otp_expired', 'This link no longer works.'],
} as const;
