import { LANGUAGE } from '#contract/language.ts';
import { escapeHtml } from '#worker/html.ts';
import { SANS_FONT_PATH } from '#contract/fonts.ts';
import { FOOTER_LINKS, HEADER_LINKS, SITE_NAME } from '#contract/site.ts';
import { PAGE_STYLE } from './page-style.ts';
import { SECURITY_HEADERS, HSTS } from './security-headers.ts';

type Page = {
  title: string;
  /** Allows this page's style element and script. The content policy blocks all others. */
  nonce: string;
  /** '' if the app and this page have the same origin. */
  appOrigin: string;
  /** CSS besides that of all pages. */
  style?: string;
  /** Escaped HTML. */
  main: string;
};

/** The logo of web/ui/arc.tsx. */
const LOGO = `<svg viewBox="0 0 24 24" fill="none" aria-hidden="true"><path d="M4.5 16.5C5.5 9 9 5.5 12 5.5s6.5 3.5 7.5 11" stroke="currentColor" stroke-width="2.25" stroke-linecap="round"/><circle cx="4.5" cy="18" r="2.25" fill="currentColor"/><circle class="dot" cx="19.5" cy="18" r="2.25"/></svg>`;

/** Applies the color scheme chosen in the application (web/app/theme.ts) before the first paint. */
const THEME = `try{var t=localStorage.getItem('hop-theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`;

/** A complete page, with the application's header and footer. */
export function renderHtmlPage({ title, nonce, appOrigin, style = '', main }: Page): string {
  const name = escapeHtml(SITE_NAME);
  const origin = escapeHtml(appOrigin);
  const links = (pages: readonly { to: string; label: string }[]): string =>
    pages.map(({ to, label }) => `<a href="${origin}${to}">${label}</a>`).join(' ');
  return `<!doctype html>
<html lang="${LANGUAGE}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · ${name}</title><meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg">
<link rel="preload" href="${SANS_FONT_PATH}" as="font" type="font/woff2" crossorigin>
<script nonce="${nonce}">${THEME}</script>
<style nonce="${nonce}">${PAGE_STYLE}${style}</style></head>
<body><header><div class="bar"><a class="logo" href="${origin}/" aria-label="${name}: home page">${LOGO}${name}</a> <nav aria-label="Main">${links(HEADER_LINKS)}</nav></div></header>
<main>
${main}
</main>
<footer><div class="bar"><span class="logo">${LOGO}${name}, an open link shortener</span> <nav aria-label="Footer">${links(FOOTER_LINKS)}</nav></div></footer></body></html>`;
}

/**
 * Headers of pages that the Worker renders: one inline script, no framing, no caching, no indexing
 * (SECURITY.md T35).
 */
export function pageHeaders(request: Request, nonce: string): Headers {
  const headers = new Headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    ...SECURITY_HEADERS,
    Vary: 'Accept',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
  });
  if (request.url.startsWith('https:')) headers.set('Strict-Transport-Security', HSTS);
  return headers;
}
