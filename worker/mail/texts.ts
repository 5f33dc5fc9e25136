import { formatNumber, plural, wordFor } from '#contract/language.ts';
import { PLANS, SITE_NAME, type PlanType } from '#contract/site.ts';
import { WEBHOOK_FAILING_DAYS } from '#contract/webhooks/webhook-events.ts';
import { SIGN_IN_MAILS } from './sign-in-texts.ts';
import { DOMAIN_MAILS } from './domain-texts.ts';
import { FACTOR_MAILS, LOCK_OUT, SECURE_MAILBOX, SIGNED_IN, worksOnce } from './factor-texts.ts';
import { formatDuration } from './format-duration.ts';

/**
 * The text of an email. `validity` says how long its link works; `footer` says what to do if the
 * reader did not cause the email. `alternative` is a second link for readers whom the button does
 * not help.
 */
export type MailText = {
  subject: string;
  title: string;
  lead: string;
  footer: string;
  button?: string;
  validity?: string;
  alternative?: { text: string; link: string };
  /** Lists below the lead. */
  sections?: readonly { title: string; lines: readonly string[] }[];
  footerLink?: { text: string; link: string };
};

/** Emails that anybody may request. */
export type MailKind = 'signup' | 'recovery';

export const FRAME = {
  enterCode: 'Or enter this code:',
  onlyCode: 'Your code:',
  copyLink: 'If the button does not work, copy this address into your browser:',
} as const;

const codeValidity = (ttlMs: number): string =>
  `The link and the code work once, for ${formatDuration(ttlMs)}.`;
const askSupport = (support: string): string =>
  support === ''
    ? `You get this email because it is about your ${SITE_NAME} account.`
    : `Questions, or a mistake? Write to ${support}.`;

export const MAILS = {
  ...SIGN_IN_MAILS,
  ...DOMAIN_MAILS,
  signup: (ttlMs: number) => ({
    subject: `Confirm your email address for ${SITE_NAME}`,
    title: 'Confirm your email address',
    lead: `Welcome to ${SITE_NAME}. Open the page below and press “Confirm and sign in” to confirm your address and sign in. Opening the page changes nothing.`,
    button: 'Confirm your address',
    footer: `If you did not sign up for ${SITE_NAME}, ignore this email: your address stays unconfirmed.`,
    validity: codeValidity(ttlMs),
  }),
  recovery: (ttlMs: number) => ({
    subject: `Reset your ${SITE_NAME} password`,
    title: 'Reset your password',
    lead: `Someone asked to reset the password of your ${SITE_NAME} account. Open the page below and press “Continue” to sign in and choose a new password. Opening the page changes nothing.`,
    button: 'Choose a new password',
    footer: 'If that was not you, ignore this email: your password stays the same.',
    validity: codeValidity(ttlMs),
  }),
  /** The answer to a sign-up with an address that already has an account. */
  account: (resetLink: string) => ({
    subject: `You already have a ${SITE_NAME} account`,
    title: 'You already have an account',
    lead: `Someone tried to sign up for ${SITE_NAME} with this email address, which already has an account. Nothing was changed, and there is no code to enter. Sign in with your password instead.`,
    button: 'Sign in',
    alternative: { text: 'Forgot your password? Choose a new one', link: resetLink },
    footer:
      'If that was not you, ignore this email: nobody can sign in without your password or your mailbox.',
  }),
  /** For `ttlMs` the link ends every session and removes the new password. */
  password: (ttlMs: number) => ({
    subject: `Your ${SITE_NAME} password was changed`,
    title: 'Your password was changed',
    lead: `The password of your ${SITE_NAME} account was changed, and its other sessions were signed out. If that was you, you have nothing to do. If it was not, open the page below and press the button there. It signs everyone out, removes the new password and lets you choose your own.`,
    button: 'I did not change it',
    validity: worksOnce(ttlMs),
    footer: SECURE_MAILBOX,
  }),
  providerConnected: (provider: string) => ({
    subject: `${provider} now signs in to your ${SITE_NAME} account`,
    title: `${provider} is connected`,
    lead: `You can now sign in to your ${SITE_NAME} account with your account at ${provider}. If you connected it, you have nothing to do.`,
    button: 'Open Settings',
    footer: `${SIGNED_IN} Disconnect ${provider} in Settings, ${LOCK_OUT}`,
  }),
  ...FACTOR_MAILS,
  passkey: (name: string, what: 'added' | 'removed') => {
    const title = what === 'added' ? 'A passkey was added' : 'A passkey was removed';
    const fact =
      what === 'added'
        ? `The passkey “${name}” signs in to your account, without your password.`
        : `The passkey “${name}” no longer signs in to your account.`;
    return {
      subject: `${title} ${what === 'added' ? 'to' : 'from'} your ${SITE_NAME} account`,
      title,
      lead: `${fact} If that was you, you have nothing to do.`,
      button: 'Open Settings',
      footer: `${SIGNED_IN} Remove passkeys that are not yours in Settings, ${LOCK_OUT}`,
    };
  },
  /** Without a link, because the account cannot be restored. */
  deletion: {
    subject: `Your ${SITE_NAME} account was deleted`,
    title: 'Your account was deleted',
    lead: `Your ${SITE_NAME} account and the personal data in it were deleted. This cannot be undone.`,
    footer:
      'If that was not you, somebody knows your password or can read your email. Change the password wherever you use it.',
  },
  /** A downgrade, at once or on `day`, until which the member can cancel it. */
  plan: (day: string | null) => {
    const title =
      day === null
        ? `Your ${SITE_NAME} plan is now Free`
        : `Your ${SITE_NAME} plan changes to Free on ${day}`;
    const undo = day === null ? '' : 'press “Keep Premium”, ';
    return {
      subject: title,
      title,
      lead: `${day === null ? 'From now on' : 'Until then you keep Premium. After that'} you can create ${PLANS.free.monthlyLimit} links a month. Your links stay and keep redirecting, and their clicks are still counted.`,
      button: 'Open Settings',
      footer: `${SIGNED_IN} Open Settings, ${undo}${LOCK_OUT}`,
    };
  },
  /** A planned downgrade that the member has canceled. */
  planKept: {
    subject: `You keep ${SITE_NAME} Premium`,
    title: 'You keep Premium',
    lead: 'The change to Free that was planned is canceled. Your plan stays Premium.',
    button: 'Open Settings',
    footer: `${SIGNED_IN} Open Settings, ${LOCK_OUT}`,
  },
  /** A change of the plan by an administrator. */
  planSet: (plan: PlanType, support: string) => {
    const { name, monthlyLimit } = PLANS[plan];
    const title = `Your ${SITE_NAME} plan is now ${name}`;
    return {
      subject: title,
      title,
      lead: `An administrator changed your plan. You can create ${formatNumber(monthlyLimit)} links a month. Your links stay and keep redirecting, and their clicks are still counted.`,
      button: 'Open Settings',
      footer: askSupport(support),
    };
  },
  /** `shortUrls` are the first of `count` links that an administrator disabled. */
  linksDisabled: ({
    count,
    shortUrls,
    reason,
    support,
  }: {
    count: number;
    shortUrls: readonly string[];
    reason: string;
    support: string;
  }) => {
    const title = `We disabled ${wordFor(count, 'a link', plural(count, 'link'))} of yours`;
    const more = count - shortUrls.length;
    return {
      subject: `${title} on ${SITE_NAME}`,
      title,
      lead: `${wordFor(count, 'It no longer redirects', 'They no longer redirect')} and ${wordFor(count, 'shows', 'show')} visitors the reason: ${reason}`,
      sections: [
        {
          title: wordFor(count, 'Link', 'Links'),
          lines: [...shortUrls, ...(more > 0 ? [`and ${plural(more, 'more link')}`] : [])],
        },
      ],
      button: 'Open My URLs',
      footer: askSupport(support),
    };
  },
  /** `lines` are the first of `count` links whose destinations have failed their checks. */
  unreachable: (count: number, lines: readonly string[]) => {
    const title = `${plural(count, 'destination')} ${wordFor(count, 'is', 'are')} unreachable`;
    const more = count - lines.length;
    return {
      subject: `${title}: your links on ${SITE_NAME}`,
      title,
      lead: `At least three checks over 24 hours have failed. ${wordFor(count, 'The link keeps', 'The links keep')} redirecting there, or to the fallback that you chose. We keep checking, and lead a link back from its fallback when the destination works again.`,
      sections: [
        {
          title: wordFor(count, 'Link', 'Links'),
          lines: [...lines, ...(more > 0 ? [`and ${plural(more, 'more link')}`] : [])],
        },
      ],
      button: 'Open My URLs',
      footer:
        'You get this email, at most once a day, because we check the destinations of these links for you. To stop, edit a link and turn its destination checks off.',
    };
  },
  suspended: (reason: string, support: string) => ({
    subject: `Your ${SITE_NAME} account is suspended`,
    title: 'Your account is suspended',
    lead: `You are signed out everywhere, and your links do not redirect until the suspension is lifted. Reason: ${reason}`,
    footer: askSupport(support),
  }),
  restored: {
    subject: `Your ${SITE_NAME} account is no longer suspended`,
    title: 'Your account is no longer suspended',
    lead: 'You can sign in again. Your links redirect again, unless they were disabled for another reason.',
    button: 'Open My URLs',
    footer: 'Sign in as before.',
  },
  key: (prefix: string, what: 'created' | 'rotated') => {
    const title = what === 'created' ? 'A new API key was created' : 'An API key got a new secret';
    return {
      subject: `${title} in your ${SITE_NAME} account`,
      title,
      lead: `Programs can use the key ${prefix}… without signing in, until it is revoked or expires. If that was you, you have nothing to do.`,
      button: 'Open API keys',
      footer: `${SIGNED_IN} Revoke the key, ${LOCK_OUT}`,
    };
  },
  app: (host: string) => {
    const title = 'An app was connected';
    return {
      subject: `${title} to your ${SITE_NAME} account`,
      title,
      lead: `An app at ${host} can use your account within the rights that were chosen, until it is disconnected or the connection ends. If that was you, you have nothing to do.`,
      button: 'Open API keys',
      footer: `${SIGNED_IN} Disconnect the app, ${LOCK_OUT}`,
    };
  },
  webhook: (host: string) => {
    const title = 'A webhook was added or changed';
    return {
      subject: `${title} in your ${SITE_NAME} account`,
      title,
      lead: `Changes of your links, and clicks on them if you chose so, are now sent to ${host}. If that was you, you have nothing to do.`,
      button: 'Open webhooks',
      footer: `${SIGNED_IN} Delete the webhook, ${LOCK_OUT}`,
    };
  },
  webhookStopped: (host: string, by: 'gone' | 'failing') => {
    const title = 'We disabled a webhook';
    const reason =
      by === 'gone'
        ? 'It answered 410 (Gone).'
        : `Every request to it has failed for ${WEBHOOK_FAILING_DAYS} days.`;
    return {
      subject: `${title} of your ${SITE_NAME} account`,
      title,
      lead: `The webhook at ${host} gets no more events. ${reason}`,
      button: 'Open webhooks',
      footer:
        'Enable it there once it works again. Deliveries that failed can be sent again for two weeks.',
    };
  },
  /** An alert to an administrator, its end, or a test. */
  alert: (event: 'alert' | 'recovery' | 'test', lead: string) => {
    const title = {
      alert: `${SITE_NAME} needs your attention`,
      recovery: `${SITE_NAME} has recovered`,
      test: `${SITE_NAME} can reach you`,
    }[event];
    return {
      subject: `${title}: ${lead.split(/[:.]/)[0]}`,
      title,
      lead,
      button: 'Open the system page',
      footer: 'You get this email because you are an administrator.',
    };
  },
} as const satisfies Record<string, MailText | ((...values: never[]) => MailText)>;

/** The page of the local mailbox. */
export const MAILBOX = {
  title: 'Mailbox',
  lead: `Emails that ${SITE_NAME} would have sent, newest first. They never leave this machine.`,
  recipient: 'Recipient',
  filter: 'Filter emails',
  empty: 'No emails yet. Sign up or reset a password, and the email appears here.',
  to: 'to',
  openLink: 'Open the link in this email',
  plainText: 'Plain text',
  notFound: 'Not found',
  wrongMethod: 'Method not allowed',
} as const;
