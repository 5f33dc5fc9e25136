import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import flags from 'country-flag-icons/package.json' with { type: 'json' };
import { defineConfig, type Plugin } from 'vite';
import { FONTS_VERSION, SANS_FONT_PATH } from '#contract/pages/fonts.ts';
import { isPage, ROOT_FILES } from '#contract/pages/paths.ts';
import { assetHeaders, FLAGS_FOLDER } from './asset-headers.ts';
import { prerenderPages } from './prerender-pages.ts';
import { apiFiles } from './api-files.ts';
import { apiReference } from './api-reference.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
/**
 * The address of `wrangler dev`. It answers everything except pages, which Vite serves with hot
 * reload.
 */
const worker = process.env['HOP_WORKER_ORIGIN'] ?? 'http://localhost:8787';
const servedByVite: ReadonlySet<string> = new Set(['/', '/index.html', '/favicon.svg']);
const rootFiles: ReadonlySet<string> = new Set(ROOT_FILES.map((file) => `/${file}`));

/** True for paths that the Worker answers: the API, its own pages, root files and short links. */
const isForWorker = (path: string): boolean =>
  !isPage(path) &&
  !servedByVite.has(path) &&
  (/^\/(ads|api|cli|dev|assets)\//.test(path) ||
    rootFiles.has(path) ||
    /^(?:\/[\w-]+)+\+?$/.test(path));

/**
 * Preloads the font of the first view, so that it does not wait for the style sheet. The monospace
 * font can load later.
 */
function preloadFonts(): Plugin {
  return {
    name: 'hop:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => `/${file}` === SANS_FONT_PATH)
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `/${file}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: true,
            },
            injectTo: 'head' as const,
          })),
    },
  };
}

/**
 * Removes unused code from the bundle: react-router components that seem used because calls or
 * inherited classes create them, or because they are named, names of icons, Vite's import
 * preloading, which this build does not use, the file output of qrcode-svg, and the names of the
 * files of screens, which only prerendering reads.
 */
function dropUnused(): Plugin {
  return {
    name: 'hop:drop-unused',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load();',
    },
    transform: {
      filter: { id: /node_modules\/(lucide-react|qrcode-svg|react-router)\/|web\/app\/pages\.ts$/ },
      handler: (code) =>
        code
          .replaceAll(/^ *\w+\.(displayName = .*|contextType = RSCRouterContext);$/gm, '')
          .replaceAll(
            /^(var \w+ = )(class extends React\d*\.Component \{$.*?^\});$/gms,
            '$1/* @__PURE__ */ (() => $2)();',
          )
          .replaceAll(/^(var \w+ = )(React\d*\.\w+\()/gm, '$1/* @__PURE__ */ $2')
          .replaceAll("require('fs')", 'null')
          .replaceAll(/^ *module: '.*\.tsx',$/gm, ''),
    },
  };
}

/** In development, copies the head (title, configuration) from the page that the Worker serves. */
function headFromWorker(): Plugin {
  const start = '<meta name="color-scheme" content="light dark" />';
  const end = '<link rel="icon"';
  return {
    name: 'hop:head-from-worker',
    apply: 'serve',
    transformIndexHtml: async (html, { originalUrl }) => {
      const page = await fetch(new URL(originalUrl ?? '/', worker), {
        headers: { accept: 'text/html' },
      })
        .then((response) => response.text())
        .catch(() => '');
      const head = page.slice(page.indexOf(start) + start.length, page.indexOf(end));
      return page.includes(start) ? html.replace('<!--hop:head-->', () => head) : html;
    },
  };
}

export default defineConfig({
  root: here,
  plugins: [
    dropUnused(),
    react(),
    tailwindcss(),
    preloadFonts(),
    headFromWorker(),
    assetHeaders(),
    prerenderPages(),
    apiFiles(),
    apiReference(),
  ],
  // The Worker replaces __NONCE__ with a new nonce in every page.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    manifest: true,
    emptyOutDir: true,
    // These browsers support light-dark() and OKLCH, so the build does not rewrite the theme's
    // colors.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // The HTML preloads the files of the first screen (prerender-pages.ts). Later ones are few and
    // start loading on hover.
    modulePreload: false,
    rolldownOptions: {
      output: {
        // The name of a shared chunk would list all screens that share it. Hashes of 7 characters (42
        // bits) are the shortest that the bundler allows; Home names every file.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash:7].js`,
        // The Worker's own pages also name the fonts (worker/contract/pages/fonts.ts). The addresses of
        // 250 flags compress well if they differ only in the country.
        assetFileNames: ({ names, originalFileNames }) =>
          names.some((name) => name.endsWith('.woff2'))
            ? `assets/[name]-${FONTS_VERSION}[extname]`
            : originalFileNames.some((name) => name.includes('/country-flag-icons/'))
              ? `${FLAGS_FOLDER}[name]-${flags.version}[extname]`
              : 'assets/[name]-[hash][extname]',
        codeSplitting: {
          groups: [
            // The entry's imports are in one file.
            { name: 'start', tags: ['$initial'] },
            // The shared components and the parts of the form that Home needs, so that it loads nothing
            // else. `clsx` and `lazy-popup` are called while other modules load, so they must not
            // be in a file that imports those modules.
            {
              name: 'form',
              test: /web\/(ui\/(error-(line|message)|field|form|input|lazy-popup)|shared\/[\w-]+\/(plans|stored-price|use-async-action|use-change))\.tsx?$|features\/(browser-links\/stored-links|shorten\/(shorten-error|typed-draft|use-link-form))\.tsx?$|worker\/contract\/codes\/link-key\.ts$|node_modules\/clsx\//,
            },
            // This chunk is separate from the components, because files that import each other
            // would be read before they are complete.
            {
              name: 'icons',
              test: /node_modules\/(lucide-react|clsx)\//,
              minShareCount: 3,
              entriesAware: true,
              entriesAwareMergeThreshold: 8_000,
            },
            { name: 'queries', test: /node_modules\/@tanstack\// },
            // The shared parts of the first views of members' pages. Dialogs and forms have the chunks
            // below.
            {
              name: 'page',
              test: /web\/(ui\/(badge|card|copy-button|dialog|direction|empty-state|error-text|failed-state|load-(more|online)|meter|search-box|vanishing-button)|shared\/[\w-]+\/(country-name|describe-change|stored-first-steps|format|printed-brand|reload-queries|save-file|time|use-query-params|use-send|watch-interval))\.tsx?$|worker\/contract\/plans\/plan-features\.ts$/,
            },
            // The other shared components are in a few files, so that a screen needs only a few
            // more. Modules that only the sign-in pages, the settings or the forms of links use are
            // excluded.
            {
              name: 'kit',
              test: /web\/(ui|shared\/[\w-]+)\/(?!ad-slot|auth-|captcha|code-dialog|domain-|forward-field|lazy-field|link-|more-options|one-time-|passkey-|pending-|price|qr-symbol|radio-option|read-pending|second-factor|secret-|setting|shown-code|sign-out|tabs|use-code-check|use-domain-list|use-in-view|use-media|use-sign-out|utm|when-near)/,
              minShareCount: 3,
              entriesAware: true,
              entriesAwareMergeThreshold: 18_000,
            },
            {
              name: 'base',
              test: /node_modules\/@(base-ui|floating-ui)\//,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 16_000,
            },
          ],
        },
      },
    },
    // Only the font of headlines is part of the style sheet.
    assetsInlineLimit: (file) => file.endsWith('/geist-headline.woff2'),
    reportCompressedSize: false,
  },
  server: {
    port: Number(process.env['PORT'] ?? 5173),
    fs: { allow: [fileURLToPath(new URL('..', import.meta.url))] },
    proxy: {
      '^/.*': {
        target: worker,
        bypass: (request) => {
          const path = new URL(request.url ?? '/', worker).pathname;
          return isForWorker(path) ? undefined : request.url;
        },
      },
    },
  },
});
