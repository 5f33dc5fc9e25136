import { LANGUAGE } from '#contract/language.ts';
import { escapeHtml } from '#worker/html.ts';
import { SITE_NAME } from '#contract/site.ts';
import { FRAME, type MailText } from './texts.ts';

/** An email. `link` is '' if it has none. `headers` are additional ones. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  link: string;
  headers?: Record<string, string>;
};

/** Renders a text as an email. Its button opens `link`. */
export function composeMail(to: string, content: MailText, link = '', code = ''): Mail {
  const text = [
    content.title,
    content.lead,
    ...(content.sections ?? []).map(({ title, lines }) =>
      [`${title}:`, ...lines.map((line) => `- ${line}`)].join('\n'),
    ),
    link === '' ? '' : `${FRAME.openLink}\n${link}`,
    code === '' ? '' : `${FRAME.enterCode} ${code}`,
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
      : `<p class="ink-2" style="margin:0 0 8px;font:400 14px/20px ${FONT};color:#484a51">${FRAME.enterCode}</p>
<p class="code" style="margin:0 0 24px;padding:12px 16px;border-radius:8px;background:#f3f2ef;color:#16181e;font:600 24px/32px ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;text-align:center">${code}</p>
`;
  const hint = `${content.validity ?? ''} ${FRAME.copyLink}`.trim();
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
