import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Manifest, type Plugin } from 'vite';
import {
  EARLY_REQUESTS,
  isMemberPage,
  PRERENDERED,
  shellPath,
  templatePath,
  type PrerenderedPage,
} from '#contract/pages/page-templates.ts';
import { PAGES, type PagePath } from '#contract/pages/paths.ts';
import { apiReference } from './api-reference.ts';
import { entryFiles, screenFiles } from './manifest.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const work = join(here, '..', 'node_modules', '.cache', 'hop', 'prerender');
/** web/app/prerender.tsx, built for Node. */
type Renderer = {
  prerenderPage: (page: PrerenderedPage) => Promise<string>;
  modulesOf: (page: PagePath) => string[];
};
/** The built index.html with the files it refers to. */
type Shell = { html: string; script: string; styles: string; css: string };

const ROOT_ELEMENT = '<div id="root"></div>';
const NOSCRIPT = `
    <noscript><p class="noscript">This page needs JavaScript. Short links themselves work without it.</p></noscript>`;

/**
 * Moves the style attributes of `html` into a style sheet: the content policy allows a style sheet
 * with the response's nonce, but no attributes. Styles that the application sets later are not
 * affected.
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

/**
 * Returns a script that loads the application after the first paint, so that the page is readable
 * before. A page in the background is never painted, so it does not wait. `files` are the screen's,
 * and `requests` the paths of a member page's data (web/shared/api/early-responses.ts).
 */
const startAfterPaint = (
  script: string,
  files: readonly string[],
  requests: readonly string[],
): string => `
    <script nonce="__NONCE__">
      (() => {
        let isWaiting = true;
        const add = (name, properties) =>
          document.head.append(Object.assign(document.createElement(name), { crossOrigin: '', nonce: '__NONCE__', ...properties }));
        const start = () => {
          if (!isWaiting) return;
          isWaiting = false;
          add('script', { type: 'module', src: '/${script}' });${requests.length === 0 ? '' : requestData(requests)}
          // Each in a short task of its own, so that the page stays responsive.
          for (const href of ${JSON.stringify(files)}) setTimeout(() => add('link', { rel: 'modulepreload', href }));
        };
        requestAnimationFrame(() => setTimeout(start));
        setTimeout(start, 1000);
      })();
    </script>`;

/**
 * Requests data with the stored session, unless its token is about to expire or the address needs
 * other data.
 */
const requestData = (paths: readonly string[]): string => `
          try {
            const key = Object.keys(localStorage).find((name) => /^sb-.+-auth-token$/.test(name));
            const { access_token, expires_at, user } = JSON.parse(localStorage.getItem(key));
            const headers = { authorization: 'Bearer ' + access_token, 'cache-control': 'no-cache', 'x-user-id': user.id };
            if (location.search === '' && expires_at * 1000 > Date.now() + 90000) {
              window.hopResponses = {};
              for (const path of ${JSON.stringify(paths)}) (window.hopResponses[path] = fetch(path.replace(/t=$/, '$&' + Date.now()), { headers })).catch(() => {});
            }
          } catch (error) {}`;

const scriptTag = (script: string): string =>
  `<script type="module" crossorigin src="/${script}" nonce="__NONCE__"></script>`;
const stylesTag = (styles: string): string =>
  `<link rel="stylesheet" crossorigin href="/${styles}" nonce="__NONCE__">`;
const preloadTag = (file: string): string =>
  `<link rel="modulepreload" crossorigin href="${file}" nonce="__NONCE__">`;

function replaceTag(html: string, tag: string, by: string): string {
  if (!html.includes(tag)) throw new Error(`index.html has no ${tag}.`);
  return html.replace(tag, () => by);
}

/** Returns a page without content that loads its screen's files in parallel with the entry. */
export const shellHtml = (html: string, files: readonly string[]): string =>
  replaceTag(
    replaceTag(html, '</head>', `  ${files.map(preloadTag).join('\n    ')}\n  </head>`),
    ROOT_ELEMENT,
    ROOT_ELEMENT + NOSCRIPT,
  );

/**
 * Returns a page with its content and inline styles, so that the first paint only waits for the
 * HTML. Member pages and the form on Home need JavaScript.
 */
export function pageHtml(
  { html, script, styles, css }: Shell,
  page: PrerenderedPage,
  files: readonly string[],
  content: string,
): string {
  if (/<\/style|__NONCE__|<!--/.test(css))
    throw new Error('The style sheet cannot be part of the HTML.');
  const moved = extractStyles(content);
  const isForMember = isMemberPage(page);
  const start = startAfterPaint(script, files, EARLY_REQUESTS[page] ?? []);
  const body = [
    `<div id="root"${isForMember ? ' data-members' : ''}>${moved.html}</div>`,
    page === '/' || isForMember ? NOSCRIPT : '',
    // At the end: the application finds the whole page.
    start,
  ].join('');
  const styled = replaceTag(
    html,
    stylesTag(styles),
    `<style nonce="__NONCE__">${css}${moved.css}</style>`,
  );
  return replaceTag(replaceTag(styled, scriptTag(script), ''), ROOT_ELEMENT, body);
}

async function loadRenderer(): Promise<Renderer> {
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
  // A watching build imports it again after each change.
  return import(`${pathToFileURL(join(work, 'prerender.mjs')).href}?${Date.now()}`);
}

/** Writes the initial HTML of each page to dist/shells and dist/pages. */
export function prerenderPages(): Plugin {
  return {
    name: 'hop:prerender-pages',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = '' }) {
        const read = (file: string): string => readFileSync(join(dir, file), 'utf8');
        const write = (path: string, html: string): void => {
          const file = join(dir, `${path}.html`);
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, html);
        };
        const manifest: Manifest = JSON.parse(read('.vite/manifest.json'));
        const { script, styles } = entryFiles(manifest);
        const css = read(styles).replace(/\/\*#.*?\*\//g, '');
        const shell = { html: read('index.html'), script, styles, css };
        const { modulesOf, prerenderPage } = await loadRenderer();
        const filesOf = (page: PagePath): string[] => screenFiles(manifest, modulesOf(page));
        for (const page of PAGES) write(shellPath(page), shellHtml(shell.html, filesOf(page)));
        for (const page of PRERENDERED) {
          const content = await prerenderPage(page);
          write(templatePath(page), pageHtml(shell, page, filesOf(page), content));
        }
      },
    },
  };
}
