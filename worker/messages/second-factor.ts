/** The errors of the API about a second factor. */
export const SECOND_FACTOR_ERRORS = {
  second_factor_unfinished: [
    'unauthenticated',
    'Enter the code from your authenticator app to finish signing in.',
  ],
  second_factor_stale: [
    'second_factor_required',
    'To continue, enter a code from your authenticator app or a recovery code, or use a passkey.',
  ],
  second_factor_missing: [
    'second_factor_setup_required',
    'Administrators of this site need a second factor. Use a passkey, or set up an authenticator app in Settings.',
  ],
} as const;
