import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { arcElements } from '#contract/pages/arc-svg.ts';
import { MARK } from '#contract/pages/brand.ts';
import { EXTENSION_ARCHIVES } from '#contract/pages/paths.ts';
import { extensionManifest, type Browser } from '#extension/manifest.ts';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT, WEB_DIST } from '#scripts/shared/place.ts';
import { hashOf, onceFor } from '#scripts/shared/stamp.ts';
import { buildForProduction } from './production.ts';
import { zip } from './zip.ts';

const FOLDER = join(ROOT, 'extension');
/** The extension as a folder that a browser can load. */
export const extensionFolder = (browser: Browser): string => join(FOLDER, 'dist', browser);
const BROWSERS: readonly Browser[] = ['chromium', 'firefox'];
const FONT_LICENSE = 'node_modules/@fontsource-variable/geist/LICENSE';
export const EXTENSION_INPUTS = [
  'extension',
  'cli',
  'scripts/build',
  'web/shared',
  'web/styles',
  'worker/contract',
  'package.json',
  'package-lock.json',
];
const STAMP = join(ROOT, 'node_modules', '.cache', 'hop', 'extension');

/**
 * Builds the browser extension for each browser, as a folder and as an archive among the pages,
 * unless it is up to date.
 */
export async function ensureExtensionBuilt(): Promise<void> {
  const archives = BROWSERS.map((browser) => join(WEB_DIST, EXTENSION_ARCHIVES[browser]));
  const isThere = () => [...archives, ...BROWSERS.map(extensionFolder)].every(existsSync);
  await onceFor(STAMP, hashOf(EXTENSION_INPUTS, ['dist', 'node_modules']), build, isThere);
}

async function build(): Promise<void> {
  const bundle = join(FOLDER, 'dist', 'bundle');
  await buildForProduction({
    configFile: false,
    root: FOLDER,
    plugins: [themeTokens(), drawnMark()],
    build: {
      outDir: bundle,
      emptyOutDir: true,
      target: ['chrome123', 'firefox128'],
      modulePreload: false,
      assetsInlineLimit: 0,
      license: { fileName: 'THIRD-PARTY.md' },
      rolldownOptions: {
        input: {
          popup: join(FOLDER, 'popup.html'),
          options: join(FOLDER, 'options.html'),
          background: join(FOLDER, 'background.ts'),
        },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          assetFileNames: '[name][extname]',
          codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
        },
      },
    },
  });
  const { version }: { version: string } = JSON.parse(readText('package.json'));
  for (const browser of BROWSERS) {
    const folder = extensionFolder(browser);
    rmSync(folder, { recursive: true, force: true });
    cpSync(bundle, folder, { recursive: true });
    const manifest = JSON.stringify(extensionManifest(browser, version), null, 2);
    writeFileSync(join(folder, 'manifest.json'), `${manifest}\n`);
    writeFileSync(join(folder, 'LICENSE'), readText('LICENSE'));
    writeFileSync(join(folder, 'FONT-LICENSE'), readText(FONT_LICENSE));
    const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]);
    const archive = join(WEB_DIST, EXTENSION_ARCHIVES[browser]);
    mkdirSync(dirname(archive), { recursive: true });
    writeFileSync(archive, zip(Object.fromEntries(files)));
  }
  rmSync(bundle, { recursive: true });
}

/**
 * Turns the application's style sheet into one for pages without Tailwind: its custom properties
 * and fonts. The fonts are on the disk, so that text can wait for them.
 */
export const plainTheme = (css: string): string =>
  css
    .replaceAll(/^@import .*;\n/gm, '')
    .replace('@theme {', ':root {')
    .replaceAll(/font-display: \w+/g, 'font-display: block')
    .replaceAll(/^ {2}--\w+-\*: initial;\n/gm, '')
    .replaceAll(/^ {2}@keyframes .*?^ {2}\}\n/gms, '')
    .replaceAll(/^@utility .*?^\}\n/gms, '');

const themeTokens = (): Plugin => ({
  name: 'hop:theme-tokens',
  enforce: 'pre',
  transform: {
    filter: { id: /\/web\/styles\/theme\.css$/ },
    handler: (css) => plainTheme(css),
  },
});

/** Draws the product's mark where a page has a comment for it. */
const drawnMark = (): Plugin => ({
  name: 'hop:drawn-mark',
  transformIndexHtml: (html) =>
    html.replaceAll(
      '<!--mark-->',
      `<svg class="mark" viewBox="${MARK.viewBox}" aria-hidden="true">${arcElements(MARK, 'currentColor', 'var(--color-landing)')}</svg>`,
    ),
});

if (process.argv[1] === import.meta.filename) await ensureExtensionBuilt();
