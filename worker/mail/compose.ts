import { BRAND_COLORS } from '#contract/pages/brand.ts';
import { LANGUAGE } from '#contract/language.ts';
import { BUILT_ORIGIN } from '#contract/pages/paths.ts';
import { SITE_NAME } from '#contract/site.ts';
import { escapeHtml } from '#worker/html.ts';
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

/**
 * Renders a text as an email. Its button opens `link`. Both parts say the same in the same order;
 * only the HTML explains how to copy the link.
 */
export function composeMail(to: string, content: MailText, link = '', code = ''): Mail {
  const { title, lead, sections = [], button = '', validity = '', footer } = content;
  const text = [
    title,
    lead,
    ...sections.map(({ title: heading, lines }) =>
      [`${heading}:`, ...lines.map((line) => `- ${line}`)].join('\n'),
    ),
    link === '' ? '' : `${button}:\n${link}`,
    code === '' ? '' : `${link === '' ? FRAME.onlyCode : FRAME.enterCode} ${code}`,
    content.alternative === undefined ? '' : asLines(content.alternative),
    validity,
    footer,
    content.footerLink === undefined ? '' : asLines(content.footerLink),
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

const asLines = ({ text, link }: { text: string; link: string }): string => `${text}:\n${link}`;

/**
 * The mark is a picture, because mail programs do not show SVG. The mailer replaces its origin.
 * The name beside it stays where pictures are blocked.
 */
const MARK = `<img src="${BUILT_ORIGIN}/apple-touch-icon.png" width="28" height="28" alt="" style="display:block;width:28px;height:28px;border:0;border-radius:7px">`;

/** The colors of both schemes; `light` is inline as well, for mail programs without media queries. */
const COLORS = {
  canvas: { light: '#fbfaf8', dark: '#0d0e11' },
  card: { light: '#ffffff', dark: '#151619' },
  line: { light: '#e0e0dc', dark: '#2b2c31' },
  ink: { light: BRAND_COLORS.ink, dark: '#f2f2ef' },
  ink2: { light: '#484a51', dark: '#bcbec2' },
  link: { light: '#1c5bd6', dark: '#7eb3ff' },
  code: { light: '#f3f2ef', dark: '#1f2024' },
  onButton: { light: '#ffffff', dark: BRAND_COLORS.ink },
} as const;

const light = (name: keyof typeof COLORS): string => COLORS[name].light;
const dark = (name: keyof typeof COLORS): string => `${COLORS[name].dark} !important`;

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
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
  .canvas { background: ${dark('canvas')} }
  .card { background: ${dark('card')}; border-color: ${dark('line')} }
  .ink { color: ${dark('ink')} }
  .ink-2 { color: ${dark('ink2')} }
  .link { color: ${dark('link')} }
  .code { background: ${dark('code')}; color: ${dark('ink')} }
  .button { background: ${dark('ink')}; color: ${dark('onButton')} }
}
</style>
</head>
<body class="canvas" style="margin:0;padding:0;background:${light('canvas')}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(content.lead)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="canvas" style="background:${light('canvas')}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
<tr><td style="padding:0 4px 16px"><table role="presentation" cellpadding="0" cellspacing="0"><tr><td>${MARK}</td>
<td class="ink" style="padding:0 10px;font:600 18px/28px ${FONT};color:${light('ink')}">${SITE_NAME}</td></tr></table></td></tr>
<tr><td class="card" style="padding:32px;background:${light('card')};border:1px solid ${light('line')};border-radius:12px">
<h1 class="ink" style="margin:0 0 12px;text-wrap:balance;font:600 20px/28px ${FONT};color:${light('ink')}">${escapeHtml(content.title)}</h1>
<p class="ink-2" style="margin:0;font:400 16px/24px ${FONT};color:${light('ink2')}">${escapeHtml(content.lead)}</p>
${(content.sections ?? []).map(composeSection).join('')}${link === '' ? composeCode(content, code) : composeAction(content, link, code)}</td></tr>
<tr><td class="ink-2" style="padding:16px 4px;font:400 13px/20px ${FONT};color:${light('ink2')}">${escapeHtml(content.footer)}${composeFooterLink(content)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const small = (text: string, after: number): string =>
  `<p class="ink-2" style="margin:0 0 ${after}px;font:400 14px/20px ${FONT};color:${light('ink2')}">${text}</p>\n`;

const codeBox = (code: string): string =>
  `<p class="code" style="margin:0 0 24px;padding:12px 16px;border-radius:8px;background:${light('code')};color:${light('ink')};font:600 24px/32px ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;text-align:center">${code}</p>\n`;

/** The code of an email without a link. */
const composeCode = ({ validity = '' }: MailText, code: string): string =>
  code === ''
    ? ''
    : `<div style="height:24px"></div>\n${small(FRAME.onlyCode, 8)}${codeBox(code)}${small(validity, 0)}`;

/**
 * The button, the code if there is one, and the link in full for email clients that do not show the
 * button.
 */
function composeAction(content: MailText, link: string, code: string): string {
  const href = escapeHtml(link);
  const byCode = code === '' ? '' : `${small(FRAME.enterCode, 8)}${codeBox(code)}`;
  const alternative =
    content.alternative === undefined ? '' : small(composeLink(content.alternative), 24);
  const hint = `${content.validity ?? ''} ${FRAME.copyLink}`.trim();
  return `<p style="margin:24px 0"><a href="${href}" class="button" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${light('ink')};color:${light('onButton')};font:600 16px/20px ${FONT};text-decoration:none">${escapeHtml(content.button ?? '')}</a></p>
${byCode}${alternative}${small(hint, 8)}<p style="margin:0;font:400 13px/20px ${FONT};word-break:break-all"><a href="${href}" class="link" style="color:${light('link')}">${href}</a></p>
`;
}

const composeSection = ({ title, lines }: { title: string; lines: readonly string[] }): string =>
  `<h2 class="ink" style="margin:24px 0 8px;font:600 14px/20px ${FONT};color:${light('ink')}">${escapeHtml(title)}</h2>
<ul class="ink-2" style="margin:0;padding:0 0 0 20px;font:400 14px/24px ${FONT};color:${light('ink2')};word-break:break-word">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>
`;

const composeFooterLink = ({ footerLink }: MailText): string =>
  footerLink === undefined ? '' : ` ${composeLink(footerLink)}.`;

const composeLink = ({ text, link }: { text: string; link: string }): string =>
  `<a href="${escapeHtml(link)}" class="link" style="color:${light('link')}">${escapeHtml(text)}</a>`;
