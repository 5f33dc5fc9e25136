import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { FONTS_VERSION, SANS_FONT_PATH } from '#contract/fonts.ts';
import { isPage, ROOT_FILES } from '#contract/paths.ts';
import { assetHeaders } from './asset-headers.ts';
import { openApiFile } from './openapi-file.ts';
import { screenPreloads } from './screen-preloads.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
/** The address of `wrangler dev`, which answers everything but the pages while Vite serves those with hot reload. */
const worker = process.env['HOP_WORKER_ORIGIN'] ?? 'http://localhost:8787';
const servedByVite: ReadonlySet<string> = new Set(['/', '/index.html', '/favicon.svg']);
const rootFiles: ReadonlySet<string> = new Set(ROOT_FILES.map((file) => `/${file}`));

/** True for paths that the Worker answers: the API, its own pages, root files and short links. */
const isForWorker = (path: string): boolean =>
  !isPage(path) &&
  !servedByVite.has(path) &&
  (/^\/(ads|api|dev|assets)\//.test(path) || rootFiles.has(path) || /^\/[A-Za-z0-9_-]{1,20}\+?$/.test(path));

/** Preloads the font of the first view, so that it does not wait for the style sheet. The monospace font can load later. */
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
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** Preloads the files of the home page in parallel with the entry. Most visitors arrive there. */
function preloadHome(): Plugin {
  return {
    name: 'hop:preload-home',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const entry = chunks.find((chunk) => chunk.isEntry);
        const home = chunks.find((chunk) => chunk.facadeModuleId?.endsWith('/app/home-page.tsx'));
        if (home === undefined) return html;
        const files = [home.fileName, ...home.imports].filter(
          (file) => file !== entry?.fileName && entry?.imports.includes(file) !== true,
        );
        const script = `<script nonce="__NONCE__">
      if (location.pathname === '/')
        for (const file of ${JSON.stringify(files)}) {
          const link = document.createElement('link');
          link.rel = 'modulepreload';
          link.href = '/' + file;
          document.head.append(link);
        }
    </script>`;
        // In front of the style sheet: a script after it would wait for it.
        return html.replace('<!--hop:head-->', (marker) => `${marker}\n    ${script}`);
      },
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
      const page = await fetch(new URL(originalUrl ?? '/', worker), { headers: { accept: 'text/html' } })
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
    react(),
    tailwindcss(),
    preloadFonts(),
    preloadHome(),
    headFromWorker(),
    assetHeaders(),
    screenPreloads(),
    openApiFile(),
  ],
  // The Worker replaces __NONCE__ with a new nonce in every page it serves.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    manifest: true,
    emptyOutDir: true,
    // Browsers that support light-dark() and OKLCH, so that the build does not rewrite the theme's colours.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The Worker's own pages name the fonts too (worker/contract/fonts.ts).
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.woff2'))
            ? `assets/[name]-${FONTS_VERSION}[extname]`
            : 'assets/[name]-[hash][extname]',
        codeSplitting: {
          groups: [
            // Components that nearly every screen uses, in one file, so that a screen needs one more file and not ten.
            // Modules that only the sign-in pages and the settings use stay out.
            {
              name: 'kit',
              test: /web\/(ui|shared)\/(?!auth-|captcha|sign-out)|node_modules\/(lucide-react|clsx)\//,
              minShareCount: 3,
            },
          ],
        },
      },
    },
    assetsInlineLimit: 0,
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
