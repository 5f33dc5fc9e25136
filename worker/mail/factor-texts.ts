import { formatUtcTime } from '#contract/language.ts';
import { SITE_NAME } from '#contract/site.ts';
import { formatDuration } from './format-duration.ts';

export const SIGNED_IN = 'If that was not you, somebody else is signed in to your account.';
/** The end of what their owner does then. Accounts of the company's provider have no password. */
export const LOCK_OUT = 'change your password if you have one, and sign out everywhere.';

export const SECURE_MAILBOX =
  'If somebody else can read your email, change the password of your mailbox first.';
export const worksOnce = (ttlMs: number): string =>
  `The link works once, for ${formatDuration(ttlMs)}.`;

/** The mails about a second factor. */
export const FACTOR_MAILS = {
  /** For `ttlMs` the link ends every session and removes the password. */
  factorOn: (ttlMs: number) => ({
    subject: `An authenticator app was added to your ${SITE_NAME} account`,
    title: 'Signing in now asks for a code',
    lead: `An authenticator app was set up for your ${SITE_NAME} account, and its other sessions were signed out. If that was you, you have nothing to do. If it was not, open the page below and press the button there. It signs everyone out and removes the password. Then sign in by mail and say that you have no code.`,
    button: 'I did not set it up',
    validity: worksOnce(ttlMs),
    footer: SECURE_MAILBOX,
  }),
  factorOff: {
    subject: `Your ${SITE_NAME} account no longer asks for a code`,
    title: 'The authenticator app was turned off',
    lead: `Signing in to your ${SITE_NAME} account no longer asks for a code. Your recovery codes no longer work. If that was you, you have nothing to do.`,
    button: 'Open Settings',
    footer: `${SIGNED_IN} Set up an authenticator app again in Settings, ${LOCK_OUT}`,
  },
  recoveryCodes: {
    subject: `Your ${SITE_NAME} account has new recovery codes`,
    title: 'New recovery codes were created',
    lead: 'The recovery codes from before no longer work. If that was you, you have nothing to do.',
    button: 'Open Settings',
    footer: `${SIGNED_IN} Create new codes in Settings, ${LOCK_OUT}`,
  },
  /** Somebody has signed in but has no code. `readyAt` is in ms. */
  resetRequested: (readyAt: number) => ({
    subject: `Somebody asked to turn off the code of your ${SITE_NAME} account`,
    title: 'Signing in without a code was requested',
    lead: `Somebody with your password, or with access to this mailbox, has asked to turn off the authenticator app of your ${SITE_NAME} account. If that was you, wait for our next email, after ${formatUtcTime(readyAt)}. If it was not, open the page below and press the button there. It stops this, signs everyone out, and removes the password and the passkeys, API keys and webhooks that were added since.`,
    button: 'Stop the reset',
    validity: `The link works once, until ${formatUtcTime(readyAt)} and for a week after that.`,
    footer: SECURE_MAILBOX,
  }),
  /** For `ttlMs` the link turns the second factor off. */
  resetReady: (ttlMs: number) => ({
    subject: `You can now turn off the code of your ${SITE_NAME} account`,
    title: 'Turn off the authenticator app',
    lead: 'The 24 hours that you had to wait are over. Open the page below and press the button there to turn the authenticator app off. Then sign in with your password or by email.',
    button: 'Turn off the code',
    validity: worksOnce(ttlMs),
    footer:
      'If you did not ask for this, do not open the page. Use the link in our earlier email, which stops it.',
  }),
} as const;
