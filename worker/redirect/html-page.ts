import { arcElements } from '#contract/pages/arc-svg.ts';
import { MARK, type ArcShape } from '#contract/pages/brand.ts';
import { SANS_FONT_PATH } from '#contract/pages/fonts.ts';
import { LANGUAGE } from '#contract/language.ts';
import { FOOTER_LINKS, HEADER_LINKS, MEMBER_LINKS, SITE_NAME } from '#contract/site.ts';
import { escapeHtml } from '#worker/html.ts';
import { PAGE_STYLE } from './page-style.ts';
import { offeredSignUp, type SignInSettings } from './sign-in-settings.ts';
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

/** An arc of the brand as a picture without words. */
export const arcPicture = (shape: ArcShape): string =>
  `<svg class="arc" viewBox="${shape.viewBox}" aria-hidden="true">${arcElements(shape, 'currentColor', 'var(--landing)')}</svg>`;

const LOGO = arcPicture(MARK);

/**
 * Before the first paint: applies the color scheme chosen in the application (web/app/theme.ts) and
 * notes whether the browser has a session, as web/index.html does.
 */
const SCRIPT = `try{var s=localStorage,d=document.documentElement.dataset,t=s.getItem('hop-theme');if(t==='light'||t==='dark')d.theme=t;if(Object.keys(s).some(function(k){return/^sb-.+-auth-token$/.test(k)}))d.member=''}catch(e){}`;

/** A complete page, with the application's header and footer. */
export function renderHtmlPage(
  env: SignInSettings,
  { title, nonce, appOrigin, style = '', main }: Page,
): string {
  const name = escapeHtml(SITE_NAME);
  const origin = escapeHtml(appOrigin);
  const links = (pages: readonly { to: string; label: string }[]): string =>
    pages.map(({ to, label }) => `<a href="${origin}${to}">${label}</a>`).join(' ');
  const signUp =
    offeredSignUp(env) === 'closed'
      ? ''
      : ` <a class="button" href="${origin}/auth?tab=sign-up">Sign Up</a>`;
  return `<!doctype html>
<html lang="${LANGUAGE}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · ${name}</title><meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg">
<link rel="preload" href="${SANS_FONT_PATH}" as="font" type="font/woff2" crossorigin>
<script nonce="${nonce}">${SCRIPT}</script>
<style nonce="${nonce}">${PAGE_STYLE}${style}</style></head>
<body><header><div class="bar"><a class="logo" href="${origin}/" aria-label="${name}: home page">${LOGO}${name}</a>
<nav aria-label="Main"><span class="visitor wide">${links(HEADER_LINKS)}</span><span class="member">${links(MEMBER_LINKS)}</span></nav>
<span class="visitor account"><a href="${origin}/auth">Sign In</a>${signUp}</span>
<span class="member account"><a href="${origin}/settings">Settings</a> <a class="button" href="${origin}/">New link</a></span>
<details><summary aria-label="Menu">${MENU_ICON}</summary><nav aria-label="Menu"><span class="member">${links(MEMBER_LINKS)}</span>${links(HEADER_LINKS)}</nav></details></div></header>
<main>
${main}
</main>
<footer><div class="bar"><span class="logo">${LOGO}${name}, an open link shortener</span> <nav aria-label="Footer">${links(FOOTER_LINKS)}</nav></div></footer></body></html>`;
}

/** The icon of the application's menu button (lucide's "menu"). */
const MENU_ICON =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path d="M4 5h16M4 12h16M4 19h16"/></svg>';

/**
 * Headers of pages that the Worker renders: one inline script, no framing, no caching, no indexing
 * (SECURITY.md T35). `formAction` is where forms may lead.
 */
export function pageHeaders(request: Request, nonce: string, formAction = "'none'"): Headers {
  const headers = new Headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    ...SECURITY_HEADERS,
    Vary: 'Accept',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
  });
  if (request.url.startsWith('https:')) headers.set('Strict-Transport-Security', HSTS);
  return headers;
}
