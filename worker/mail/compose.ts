import { LANGUAGE } from '#contract/language.ts';
import { escapeHtml } from '#worker/html.ts';
import { PLANS, SITE_NAME } from '#contract/site.ts';

/** An email. `link` is '' if it has none. `headers` are additional ones. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  link: string;
  headers?: Record<string, string>;
};

/**
 * The text of an email. `validity` says how long its link works; `footer`, what to do if the reader
 * did not cause the email. `alternative` is a second link for readers whom the button does not
 * help.
 */
type MailText = {
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

const TEXTS: Record<MailKind, MailText> = {
  signup: {
    subject: `Confirm your email address for ${SITE_NAME}`,
    title: 'Confirm your email address',
    lead: `Welcome to ${SITE_NAME}. Open the page below and press “Confirm and sign in” to confirm your address and sign in. Opening the page changes nothing.`,
    button: 'Confirm your address',
    footer: `If you did not sign up for ${SITE_NAME}, ignore this email: your address stays unconfirmed.`,
  },
  recovery: {
    subject: `Reset your ${SITE_NAME} password`,
    title: 'Reset your password',
    lead: `Someone asked to reset the password of your ${SITE_NAME} account. Open the page below and press “Continue” to sign in and choose a new password. Opening the page changes nothing.`,
    button: 'Choose a new password',
    footer: 'If that was not you, ignore this email: your password stays the same.',
  },
};

/** The email with a link and a code. `ttlMs` is how long both work. */
export function composeLinkMail(
  kind: MailKind,
  to: string,
  link: string,
  code: string,
  ttlMs: number,
): Mail {
  return compose(
    { ...TEXTS[kind], validity: `The link and the code work once, for ${formatDuration(ttlMs)}.` },
    to,
    link,
    code,
  );
}

/**
 * The answer to a sign-up with an address that already has an account. Both links are pages without
 * a token.
 */
export function composeAccountNotice(to: string, signInPage: string, resetPage: string): Mail {
  const content = {
    subject: `You already have a ${SITE_NAME} account`,
    title: 'You already have an account',
    lead: `Someone tried to sign up for ${SITE_NAME} with this email address, which already has an account. Nothing was changed, and there is no code to enter. Sign in with your password instead.`,
    button: 'Sign in',
    alternative: { text: 'Forgot your password? Choose a new one', link: resetPage },
    footer:
      'If that was not you, ignore this email: nobody can sign in without your password or your mailbox.',
  };
  return compose(content, to, signInPage);
}

/**
 * The notice of a changed password. For `ttlMs` its `link` ends every session and removes the new
 * password.
 */
export function composePasswordNotice(to: string, link: string, ttlMs: number): Mail {
  const content = {
    subject: `Your ${SITE_NAME} password was changed`,
    title: 'Your password was changed',
    lead: `The password of your ${SITE_NAME} account was changed, and its other sessions were signed out. If that was you, you have nothing to do. If it was not, open the page below and press the button there. It signs everyone out, removes the new password and lets you choose your own.`,
    button: 'I did not change it',
    validity: `The link works once, for ${formatDuration(ttlMs)}.`,
    footer: 'If somebody else can read your email, change the password of your mailbox first.',
  };
  return compose(content, to, link);
}

/** The notice of a deleted account. It has no link, because the account cannot be restored. */
export function composeDeletionNotice(to: string): Mail {
  const content = {
    subject: `Your ${SITE_NAME} account was deleted`,
    title: 'Your account was deleted',
    lead: `Your ${SITE_NAME} account and the personal data in it were deleted. This cannot be undone.`,
    footer:
      'If that was not you, somebody knows your password or can read your email. Change the password wherever you use it.',
  };
  return compose(content, to);
}

/**
 * The notice of a downgrade: at once, or on `day`, until which it can be taken back. `settings` is
 * the URL of the page.
 */
export function composePlanNotice(to: string, settings: string, day: string | null): Mail {
  const title =
    day === null
      ? `Your ${SITE_NAME} plan is now Free`
      : `Your ${SITE_NAME} plan changes to Free on ${day}`;
  const undo = day === null ? '' : 'press “Keep Premium” and ';
  const content = {
    subject: title,
    title,
    lead: `${day === null ? 'From now on' : 'Until then you keep Premium. After that'} you can create ${PLANS.free.monthlyLimit} links a month. Your links stay and keep redirecting, and their clicks are still counted.`,
    button: 'Open Settings',
    footer: `If that was not you, somebody else is signed in to your account. Open Settings, ${undo}change your password.`,
  };
  return compose(content, to, settings);
}

/**
 * The notice of an API key that was created or got a new secret. `settings` is the URL of the page
 * with the keys.
 */
export function composeKeyNotice(
  to: string,
  settings: string,
  prefix: string,
  what: 'created' | 'rotated',
): Mail {
  const title = what === 'created' ? 'A new API key was created' : 'An API key got a new secret';
  const content = {
    subject: `${title} in your ${SITE_NAME} account`,
    title,
    lead: `Programs can use the key ${prefix}… without signing in, until it is revoked or expires. If that was you, you have nothing to do.`,
    button: 'Open API keys',
    footer:
      'If that was not you, somebody else is signed in to your account. Revoke the key and change your password.',
  };
  return compose(content, to, settings);
}

/** An alert to an administrator, or its end. `system` is the URL of the page with the details. */
export function composeAlertMail(
  to: string,
  kind: 'begin' | 'end',
  lead: string,
  system: string,
): Mail {
  const title =
    kind === 'begin' ? `${SITE_NAME} needs your attention` : `${SITE_NAME} has recovered`;
  const content = {
    subject: `${title}: ${lead.split(/[:.]/)[0]}`,
    title,
    lead,
    button: 'Open the system page',
    footer: 'You get this email because you are an administrator.',
  };
  return compose(content, to, system);
}

/** A mail with lists that leads to the page `link`. */
export const composeReport = (content: MailText, to: string, link: string): Mail =>
  compose(content, to, link);

export function composeWebhookNotice(to: string, settings: string, host: string): Mail {
  const title = 'A webhook was added or changed';
  const content = {
    subject: `${title} in your ${SITE_NAME} account`,
    title,
    lead: `Changes of your links, and clicks on them if you chose so, are now sent to ${host}. If that was you, you have nothing to do.`,
    button: 'Open webhooks',
    footer:
      'If that was not you, somebody else is signed in to your account. Delete the webhook and change your password.',
  };
  return compose(content, to, settings);
}

export function composeWebhookStopped(
  to: string,
  settings: string,
  host: string,
  by: 'gone' | 'failing',
): Mail {
  const title = 'We disabled a webhook';
  const reason =
    by === 'gone' ? 'It answered 410 (Gone).' : 'Every request to it has failed for five days.';
  const content = {
    subject: `${title} of your ${SITE_NAME} account`,
    title,
    lead: `The webhook at ${host} gets no more events. ${reason}`,
    button: 'Open webhooks',
    footer:
      'Enable it there once it works again. Deliveries that failed can be sent again for two weeks.',
  };
  return compose(content, to, settings);
}

function compose(content: MailText, to: string, link = '', code = ''): Mail {
  const text = [
    content.title,
    content.lead,
    ...(content.sections ?? []).map(({ title, lines }) =>
      [`${title}:`, ...lines.map((line) => `- ${line}`)].join('\n'),
    ),
    link === '' ? '' : `Open this link:\n${link}`,
    code === '' ? '' : `Or enter this code: ${code}`,
    content.validity ?? '',
    content.alternative === undefined
      ? ''
      : `${content.alternative.text}:\n${content.alternative.link}`,
    content.footer,
    content.footerLink === undefined
      ? ''
      : `${content.footerLink.text}:\n${content.footerLink.link}`,
    `— ${SITE_NAME}`,
  ];
  const html = composeHtml(content, link, code);
  return {
    to,
    subject: content.subject,
    text: text.filter((part) => part !== '').join('\n\n'),
    html,
    link,
  };
}

function composeHtml(content: MailText, link: string, code: string): string {
  return `<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(content.subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .canvas { background: #0d0e11 !important }
  .card { background: #151619 !important; border-color: #2b2c31 !important }
  .ink { color: #f2f2ef !important }
  .ink-2 { color: #bcbec2 !important }
  .link { color: #7eb3ff !important }
  .code { background: #0a0b0d !important; color: #f2f2ef !important }
}
</style>
</head>
<body class="canvas" style="margin:0;padding:0;background:#fbfaf8">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(content.lead)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="canvas" style="background:#fbfaf8">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
<tr><td class="ink" style="padding:0 4px 16px;font:600 18px/24px ${FONT};color:#16181e">${SITE_NAME}</td></tr>
<tr><td class="card" style="padding:32px;background:#ffffff;border:1px solid #e0e0dc;border-radius:12px">
<h1 class="ink" style="margin:0 0 12px;font:600 20px/28px ${FONT};color:#16181e">${escapeHtml(content.title)}</h1>
<p class="ink-2" style="margin:0 0 24px;font:400 16px/24px ${FONT};color:#484a51">${escapeHtml(content.lead)}</p>
${(content.sections ?? []).map(composeSection).join('')}${link === '' ? '' : composeAction(content, link, code)}</td></tr>
<tr><td class="ink-2" style="padding:16px 4px;font:400 13px/20px ${FONT};color:#63666d">${escapeHtml(content.footer)}${composeFooterLink(content)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * The button, the code if there is one, and the link in full for email clients that do not show the
 * button.
 */
function composeAction(content: MailText, link: string, code: string): string {
  const href = escapeHtml(link);
  const byCode =
    code === ''
      ? ''
      : `<p class="ink-2" style="margin:0 0 8px;font:400 14px/20px ${FONT};color:#484a51">Or enter this code:</p>
<p class="code" style="margin:0 0 24px;padding:12px 16px;border-radius:8px;background:#f3f2ef;color:#16181e;font:600 24px/32px ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;text-align:center">${code}</p>
`;
  const hint = [
    content.validity ?? '',
    'If the button does not work, copy this address into your browser:',
  ]
    .join(' ')
    .trim();
  return `<p style="margin:0 0 24px"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1c5bd6;color:#ffffff;font:600 16px/20px ${FONT};text-decoration:none">${escapeHtml(content.button ?? '')}</a></p>
${byCode}${composeAlternative(content)}<p class="ink-2" style="margin:0 0 8px;font:400 14px/20px ${FONT};color:#484a51">${hint}</p>
<p style="margin:0;font:400 13px/20px ${FONT};word-break:break-all"><a href="${href}" class="link" style="color:#1c5bd6">${href}</a></p>
`;
}

const composeSection = ({ title, lines }: { title: string; lines: readonly string[] }): string =>
  `<h2 class="ink" style="margin:0 0 8px;font:600 14px/20px ${FONT};color:#16181e">${escapeHtml(title)}</h2>
<ul class="ink-2" style="margin:0 0 24px;padding:0 0 0 20px;font:400 14px/24px ${FONT};color:#484a51;word-break:break-word">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>
`;

const composeFooterLink = ({ footerLink }: MailText): string =>
  footerLink === undefined
    ? ''
    : ` <a href="${escapeHtml(footerLink.link)}" class="link" style="color:#1c5bd6">${escapeHtml(footerLink.text)}</a>.`;

function composeAlternative({ alternative }: MailText): string {
  if (alternative === undefined) return '';
  const href = escapeHtml(alternative.link);
  return `<p class="ink-2" style="margin:0 0 24px;font:400 14px/20px ${FONT};color:#484a51"><a href="${href}" class="link" style="color:#1c5bd6">${escapeHtml(alternative.text)}</a></p>
`;
}

/** "1 minute", "10 minutes", "1 hour", "24 hours", "7 days". */
function formatDuration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes % 1440 === 0 && minutes > 1440) return `${minutes / 1440} days`;
  if (minutes % 60 !== 0) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
}
