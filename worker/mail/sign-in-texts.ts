import { KEEP_NOTICED_DAYS } from '#contract/limits.ts';
import { SITE_NAME } from '#contract/site.ts';
import { SSO_MAILBOX_MINUTES } from '#contract/sign-in/sso.ts';

/** Mails about signing in, in the form of `MailText`. */
export const SIGN_IN_MAILS = {
  /** The code with which somebody who signs in at `provider` proves the mailbox. */
  mailbox: (provider: string) => ({
    subject: `Your code for signing in to ${SITE_NAME}`,
    title: 'Enter this code',
    lead: `Someone is signing in to ${SITE_NAME} with an account at ${provider} and gave this email address. Enter the code on the page where you began. It connects that account with this address.`,
    validity: `The code works once, for ${SSO_MAILBOX_MINUTES} minutes.`,
    footer:
      'If that was not you, ignore this email and give the code to nobody: without it, nothing happens.',
  }),
  /** A sign-in in a browser that the account does not know. Its link ends that session. */
  newBrowser: ({
    browser,
    system,
    country,
    time,
    method,
    provider,
  }: {
    browser: string | null;
    system: string | null;
    country: string | null;
    time: string;
    method: string | null;
    provider: string;
  }) => {
    const device = [browser, system].filter((name) => name !== null).join(' on ');
    const how = new Map([
      ['password', 'your password'],
      ['otp', 'a link or code from an email'],
      ['oauth', `your account at ${provider}`],
      ['webauthn', 'a passkey'],
    ]).get(method ?? '');
    return {
      subject: `New sign-in to your ${SITE_NAME} account`,
      title: 'New sign-in',
      lead: `Someone signed in to your ${SITE_NAME} account in a browser that it does not know. If that was you, you have nothing to do.`,
      sections: [
        {
          title: 'This sign-in',
          lines: [
            `Browser: ${device || 'unknown'}`,
            `Country: ${country ?? 'unknown'}`,
            `Time: ${time}`,
            ...(how === undefined ? [] : [`With: ${how}`]),
          ],
        },
      ],
      button: 'That was not me',
      validity: `The link works as long as that sign-in lasts, and for ${KEEP_NOTICED_DAYS} days after it.`,
      footer: `If that was not you, somebody else is signed in to your account. Open the page above and press the button there. ${method === 'password' ? 'It signs everyone out and removes the password.' : 'It ends that sign-in and later ones.'} Passkeys, company accounts, API keys and webhooks that were added since are removed, too.`,
    };
  },
} as const;
