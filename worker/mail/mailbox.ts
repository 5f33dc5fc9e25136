import { LANGUAGE } from '#contract/language.ts';
import { desc, eq } from 'drizzle-orm';
import { openDb } from '#worker/db/client.ts';
import { dev_mails } from '#worker/db/schema-auth.ts';
import { SITE_NAME } from '#contract/site.ts';
import { escapeHtml } from '#worker/html.ts';
import { usesLocalMailbox } from './local-mailbox.ts';
import { MAILBOX } from './texts.ts';

/**
 * Serves the local mailbox: /dev/mailbox shows the emails that would have been sent, newest first,
 * and /dev/mailbox.json?to= returns them for programs. 404 unless DEV_MAILBOX is on and the host is
 * a loopback address.
 */
export async function serveMailbox(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url);
  const path = url.pathname;
  if (
    !usesLocalMailbox(env, request.url) ||
    (path !== '/dev/mailbox' && path !== '/dev/mailbox.json')
  )
    return new Response(MAILBOX.notFound, { status: 404, headers: HEADERS });
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(MAILBOX.wrongMethod, {
      status: 405,
      headers: { ...HEADERS, Allow: 'GET, HEAD' },
    });
  const to = (url.searchParams.get('to') ?? '').trim().toLowerCase();
  const mails = await openDb(env.DB)
    .select()
    .from(dev_mails)
    .where(to === '' ? undefined : eq(dev_mails.to, to))
    .orderBy(desc(dev_mails.id));
  if (path === '/dev/mailbox.json') {
    const list = mails.map((mail) => ({
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      link: mail.link,
      sentAt: new Date(mail.sent_at).toISOString(),
    }));
    return Response.json(list, { headers: HEADERS });
  }
  return new Response(renderPage(mails, to), {
    headers: { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' },
  });
}

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'no-referrer',
  // Emails are shown in sandboxed frames without scripts. Only inline styles are allowed, and
  // nothing is loaded from elsewhere.
  'Content-Security-Policy':
    "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

type Mail = typeof dev_mails.$inferSelect;

function renderPage(mails: Mail[], to: string): string {
  const list = mails.length === 0 ? EMPTY : mails.map(renderMail).join('');
  return `<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${MAILBOX.title} · ${SITE_NAME}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header><h1>${MAILBOX.title}</h1><p>${MAILBOX.lead}</p></header>
<form method="get" action="/dev/mailbox">
<label for="to">${MAILBOX.recipient}</label>
<input id="to" name="to" type="email" value="${escapeHtml(to)}" placeholder="you@example.com">
<button>${MAILBOX.filter}</button>
</form>
${list}
</main>
</body>
</html>
`;
}

const EMPTY = `<p class="empty">${MAILBOX.empty}</p>`;

function renderMail(mail: Mail, index: number): string {
  const sent = new Date(mail.sent_at).toISOString();
  return `<article>
<h2>${escapeHtml(mail.subject)}</h2>
<p class="meta">${MAILBOX.to} <b>${escapeHtml(mail.to)}</b> · <time datetime="${sent}">${sent.slice(0, 19).replace('T', ' ')} UTC</time></p>
${mail.link === '' ? '' : `<p><a class="open" href="${escapeHtml(mail.link)}">${MAILBOX.openLink}</a></p>`}
<details${index === 0 ? ' open' : ''}><summary>HTML</summary>
<iframe title="${escapeHtml(mail.subject)}" sandbox="allow-popups allow-top-navigation-by-user-activation" srcdoc="${escapeHtml(mail.html.replace('<head>', '<head><base target="_top">'))}"></iframe>
</details>
<details><summary>${MAILBOX.plainText}</summary><pre>${escapeHtml(mail.text)}</pre></details>
</article>`;
}

const STYLE = `:root{color-scheme:light dark;--canvas:light-dark(#fbfaf8,#0d0e11);--surface:light-dark(#fff,#151619);--ink:light-dark(#16181e,#f2f2ef);--ink-2:light-dark(#484a51,#bcbec2);--line:light-dark(#e0e0dc,#2b2c31);--accent:light-dark(#1c5bd6,#7eb3ff)}
*{box-sizing:border-box}body{margin:0;background:var(--canvas);color:var(--ink);font:400 14px/20px 'Geist Variable',system-ui,sans-serif}
main{max-width:680px;margin:0 auto;padding:32px 16px}h1{margin:0;font-size:24px;line-height:32px}header p,.meta,.empty{color:var(--ink-2);margin:4px 0 16px}
form{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-bottom:24px}input{flex:1 1 200px;min-width:0;height:36px;padding:0 12px;font:inherit;font-size:16px;color:inherit;background:var(--surface);border:1px solid var(--line);border-radius:8px}
button{height:36px;padding:0 16px;font:inherit;font-weight:600;color:var(--canvas);background:var(--ink);border:1px solid transparent;border-radius:8px;cursor:pointer}
article{padding:16px;margin-bottom:16px;background:var(--surface);border:1px solid var(--line);border-radius:12px}h2{margin:0;font-size:16px;line-height:24px}.meta{margin:0 0 12px;overflow-wrap:anywhere}
.open{color:var(--accent);font-weight:600}summary{cursor:pointer;color:var(--ink-2);padding:4px 0}iframe{width:100%;height:560px;border:1px solid var(--line);border-radius:8px}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:13px/20px 'Geist Mono Variable',ui-monospace,monospace}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`;
