import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import type { SiteConfig } from '#contract/config.ts';
import { apiReference } from './api-reference.ts';
import {
  EARLY_REQUESTS,
  isMemberPage,
  PRERENDERED,
  SCREEN_FILES_MARKER,
  STAND_INS,
  templatePath,
  type PrerenderedPage,
} from '#contract/page-templates.ts';
import { SITE_NAME } from '#contract/site.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const work = join(here, '..', 'node_modules', '.cache', 'hop', 'prerender');
/** web/app/prerender.tsx, built for Node. */
type Renderer = { renderPage: (page: PrerenderedPage) => Promise<string> };
const STYLE_SHEET = /<link rel="stylesheet"[^>]*href="([^"]*)"[^>]*>/;
const ROOT_ELEMENT = '<div id="root"></div>';

/** One configuration for every variant of the settings (see worker/contract/page-templates.ts). */
export const VARIANTS: readonly SiteConfig[] = (['embedded', 'hosted'] as const).flatMap((mode) =>
  (['none', 'demo'] as const).flatMap((billing) =>
    [true, false].flatMap((hasAd) =>
      [true, false].map((hasSupport) => ({
        siteName: SITE_NAME,
        appOrigin: STAND_INS.appOrigin,
        shortOrigin: `https://${STAND_INS.shortHost}`,
        auth: { url: STAND_INS.appOrigin, key: '', mode },
        billing,
        networkAds: hasAd ? (['home'] as const) : [],
        supportEmail: hasSupport ? STAND_INS.supportEmail : '',
        turnstileSiteKey: '',
        devMailbox: false,
      })),
    ),
  ),
);

/**
 * Moves the style attributes of `html` into a style sheet: the content policy allows one with the
 * nonce of the response, but no attribute. Attributes that the application sets later are not
 * concerned.
 */
export function extractStyles(html: string): { html: string; css: string } {
  const rules = new Map<string, number>();
  const moved = html.replaceAll(/ style="([^"]*)"/g, (_, declarations: string) => {
    if (/[&<>{}]/.test(declarations))
      throw new Error(`This style cannot be prerendered: ${declarations}`);
    const id = rules.get(declarations) ?? rules.size;
    rules.set(declarations, id);
    return ` data-style="${id}"`;
  });
  return {
    html: moved,
    css: [...rules].map(([declarations, id]) => `[data-style="${id}"]{${declarations}}`).join(''),
  };
}

const MODULE = /<script type="module" crossorigin src="([^"]+)" nonce="__NONCE__"><\/script>/;

/**
 * Loads the application after the first paint: the page can be read before. A page in the
 * background has no paint to wait for. `requests` are the paths of the data that a member's page
 * needs (web/shared/early-responses.ts).
 */
const startAfterPaint = (
  entry: string,
  requests: readonly string[],
): string => `<script nonce="__NONCE__">
      (() => {
        let isWaiting = true;
        const add = (name, properties) =>
          document.head.append(Object.assign(document.createElement(name), { crossOrigin: '', nonce: '__NONCE__', ...properties }));
        const start = () => {
          if (!isWaiting) return;
          isWaiting = false;
          add('script', { type: 'module', src: '${entry}' });${requests.length === 0 ? '' : requestData(requests)}
          // Each in a short task of its own, so that the page stays responsive.
          for (const href of ${SCREEN_FILES_MARKER}) setTimeout(() => add('link', { rel: 'modulepreload', href }));
        };
        requestAnimationFrame(() => setTimeout(start));
        setTimeout(start, 1000);
      })();
    </script>`;

/**
 * Asks for data with the stored session, unless its token is about to expire or the address asks
 * for other data.
 */
const requestData = (paths: readonly string[]): string => `
          try {
            const key = Object.keys(localStorage).find((name) => /^sb-.+-auth-token$/.test(name));
            const { access_token, expires_at, user } = JSON.parse(localStorage.getItem(key));
            const headers = { authorization: 'Bearer ' + access_token, 'cache-control': 'no-cache', 'x-user-id': user.id };
            if (location.search === '' && expires_at * 1000 > Date.now() + 90000) {
              window.hopResponses = {};
              for (const path of ${JSON.stringify(paths)}) window.hopResponses[path] = fetch(path.replace(/t=$/, '$&' + Date.now()), { headers });
            }
          } catch (error) {}`;

/**
 * Fills `html`, the built index.html, with the content of a page and with the style sheet, so that
 * the first paint waits for nothing but the HTML. Members' pages and the form of the home page need
 * JavaScript.
 */
export function pageHtml(
  html: string,
  page: PrerenderedPage,
  content: string,
  css: string,
): string {
  if (/<\/style|__NONCE__|<!--/.test(css))
    throw new Error('The style sheet cannot be part of the HTML.');
  if (!html.includes(ROOT_ELEMENT)) throw new Error(`index.html has no ${ROOT_ELEMENT}.`);
  const styled = extractStyles(content);
  if (!MODULE.test(html)) throw new Error('index.html has no module script.');
  const filled = html
    .replace(MODULE, (_, entry: string) => startAfterPaint(entry, EARLY_REQUESTS[page] ?? []))
    .replace(STYLE_SHEET, () => `<style nonce="__NONCE__">${css}${styled.css}</style>`)
    .replace(
      ROOT_ELEMENT,
      () => `<div id="root"${isMemberPage(page) ? ' data-members' : ''}>${styled.html}</div>`,
    );
  return page === '/' || isMemberPage(page)
    ? filled
    : filled.replace(/\s*<noscript>.*?<\/noscript>/s, '');
}

/**
 * Writes the prerendered pages of every variant to dist/pages. The settings are read when a module
 * is evaluated, so the renderer is one file that is imported anew for each variant.
 */
export function prerenderPages(): Plugin {
  return {
    name: 'hop:prerender-pages',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = '' }) {
        const html = readFileSync(join(dir, 'index.html'), 'utf8');
        const css = readFileSync(join(dir, STYLE_SHEET.exec(html)?.[1] ?? ''), 'utf8').replace(
          /\/\*#.*?\*\//g,
          '',
        );
        await build({
          configFile: false,
          root: here,
          logLevel: 'warn',
          publicDir: false,
          plugins: [apiReference()],
          build: {
            ssr: 'app/prerender.tsx',
            outDir: work,
            emptyOutDir: true,
            rolldownOptions: { output: { entryFileNames: 'prerender.mjs', codeSplitting: false } },
          },
        });
        for (const [index, config] of VARIANTS.entries()) {
          Object.assign(globalThis, { prerenderConfig: config });
          const renderer: Renderer = await import(
            `${pathToFileURL(join(work, 'prerender.mjs')).href}?variant=${Date.now()}-${index}`
          );
          for (const page of PRERENDERED) {
            const file = join(dir, `${templatePath(page, config)}.html`);
            mkdirSync(dirname(file), { recursive: true });
            writeFileSync(file, pageHtml(html, page, await renderer.renderPage(page), css));
          }
        }
        Object.assign(globalThis, { prerenderConfig: undefined });
      },
    },
  };
}
