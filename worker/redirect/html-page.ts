import { escapeHtml } from '#worker/html.ts';
import { SITE_NAME } from '#contract/site.ts';
import { SECURITY_HEADERS, HSTS } from './security-headers.ts';

type Page = {
  title: string;
  /** Allows this page's one style element. The content policy blocks everything else. */
  nonce: string;
  /** '' if the app and this page have the same origin. */
  appOrigin: string;
  /** Escaped HTML. */
  main: string;
};

/** A small copy of the tokens in web/styles/theme.css, light and dark. The page needs no script, no font and no other request. */
const STYLE = `
:root{color-scheme:light dark;--canvas:light-dark(oklch(.985 .003 95),oklch(.165 .006 270));--surface:light-dark(oklch(1 0 0),oklch(.2 .007 270));
--ink:light-dark(oklch(.21 .012 270),oklch(.96 .003 95));--ink-2:light-dark(oklch(.41 .012 270),oklch(.8 .006 270));--line:light-dark(oklch(.905 .005 95),oklch(.295 .008 270));
--accent:light-dark(oklch(.51 .2 262),oklch(.76 .125 258))}
*{box-sizing:border-box}
body{margin:0;min-height:100svh;display:flex;flex-direction:column;background:var(--canvas);color:var(--ink);font:16px/1.55 Geist,Inter,system-ui,sans-serif;-webkit-text-size-adjust:100%}
header{padding:20px 24px;font-weight:600;font-size:16px}
header a{display:inline-flex;align-items:center;gap:8px;color:inherit;text-decoration:none}header svg{width:24px;height:24px}.dot{fill:var(--accent)}
main{flex:1;width:100%;max-width:616px;margin:0 auto;padding:8vh 24px 64px}
h1{margin:0 0 12px;font-size:32px;line-height:1.2;letter-spacing:-.02em;text-wrap:balance;font-weight:600}
p{margin:0 0 16px;color:var(--ink-2)}
.status{margin:0 0 8px;font:13px/1.5 "Geist Mono",ui-monospace,monospace;color:var(--ink-2)}
.reason{padding:12px 16px;border:1px solid var(--line);border-radius:8px;background:var(--surface);color:var(--ink);overflow-wrap:anywhere}
.actions{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:center;margin:28px 0 0}
.support{margin:28px 0 0;font-size:14px;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:3px}
a:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:6px}
.button{display:inline-flex;align-items:center;min-height:44px;padding:0 18px;border-radius:8px;background:var(--ink);color:var(--canvas);font-weight:550;text-decoration:none}
.mono{font-family:"Geist Mono",ui-monospace,monospace;overflow-wrap:anywhere}
.card{padding:20px;border:1px solid var(--line);border-radius:12px;background:var(--surface)}
.card p{color:var(--ink)}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 16px;margin:0;font-size:14px}
dt{color:var(--ink-2)}dd{margin:0;overflow-wrap:anywhere}
.qr{width:136px;height:136px;border-radius:8px;background:#fff;display:block}
.row{display:flex;flex-wrap:wrap;gap:20px;align-items:flex-start;margin-top:20px}.row dl{flex:1;min-width:220px}
@media(max-width:480px){h1{font-size:24px}main{padding-top:4vh}}
`;

/** The logo of web/ui/mark.tsx. */
const LOGO = `<svg viewBox="0 0 24 24" fill="none" aria-hidden="true"><path d="M4.5 16.5C5.5 9 9 5.5 12 5.5s6.5 3.5 7.5 11" stroke="currentColor" stroke-width="2.25" stroke-linecap="round"/><circle cx="4.5" cy="18" r="2.25" fill="currentColor"/><circle class="dot" cx="19.5" cy="18" r="2.25"/></svg>`;

/** A complete page. */
export function renderPage({ title, nonce, appOrigin, main }: Page): string {
  const name = escapeHtml(SITE_NAME);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)} · ${name}</title><meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg">
<style nonce="${nonce}">${STYLE}</style></head>
<body><header><a href="${escapeHtml(appOrigin)}/">${LOGO}${name}</a></header><main>
${main}
</main></body></html>`;
}

/** Headers of the pages that are rendered here: no script, no framing, no caching, no indexing (SECURITY.md T35). */
export function pageHeaders(request: Request, nonce: string): Headers {
  const headers = new Headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    ...SECURITY_HEADERS,
    Vary: 'Accept',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
  });
  if (request.url.startsWith('https:')) headers.set('Strict-Transport-Security', HSTS);
  return headers;
}
