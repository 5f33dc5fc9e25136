import { readFileSync } from 'node:fs';
import type { Plugin, Rollup } from 'vite';
import { PAGES, type Page } from '#contract/paths.ts';
import { hasEveryPage, screenFilesComment, type ScreenFiles } from '#contract/screen-files.ts';

const ENTRY = /'(\/[^']*)':\s*\{\s*load:\s*\(\)\s*=>\s*import\('([^']+)'\)([^}]*)\}/g;

/** What app/pages.ts loads for each page: modules as they are named there. Its shape is checked by the build: every page must be found. */
export function parseScreenModules(source: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, page = '', module = '', rest = ''] of source.matchAll(ENTRY)) {
    found.set(page, rest.includes('bare: true') ? [module] : [module, './query-client.tsx']);
  }
  return found;
}

type Chunks = Readonly<Record<string, Pick<Rollup.OutputChunk, 'fileName' | 'facadeModuleId' | 'imports' | 'isEntry'>>>;

/** The files of `modules` with everything they import, without those that the entry brings anyway. */
export function collectFiles(modules: readonly string[], chunks: Chunks): string[] {
  const all = Object.values(chunks);
  const reach = (file: string, seen: Set<string>): Set<string> => {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const next of chunks[file]?.imports ?? []) reach(next, seen);
    return seen;
  };
  const early = new Set<string>();
  for (const chunk of all) if (chunk.isEntry) reach(chunk.fileName, early);
  const wanted = new Set<string>();
  for (const module of modules) {
    const tail = module.startsWith('#web/') ? `/web/${module.slice('#web/'.length)}` : `/app/${module.replace('./', '')}`;
    const chunk = all.find(({ facadeModuleId }) => facadeModuleId?.endsWith(tail) === true);
    if (chunk === undefined) throw new Error(`app/pages.ts names ${module}, which the build has no file for.`);
    reach(chunk.fileName, wanted);
  }
  return [...wanted].filter((file) => !early.has(file)).map((file) => `/${file}`);
}

/** Tells the Worker which files each page's screen needs, so that they load beside the entry and not after it. */
export function screenPreloads(): Plugin {
  return {
    name: 'hop:screen-preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.fromEntries(
          Object.values(bundle ?? {}).flatMap((output) => (output.type === 'chunk' ? [[output.fileName, output]] : [])),
        );
        const modules = parseScreenModules(readFileSync(new URL('app/pages.ts', import.meta.url), 'utf8'));
        const files: Partial<Record<Page, string[]>> = {};
        for (const page of PAGES) {
          const named = modules.get(page);
          if (named !== undefined) files[page] = collectFiles(named, chunks);
        }
        const complete: Partial<ScreenFiles> = files;
        if (!hasEveryPage(complete))
          throw new Error('app/pages.ts is not written as web/screen-preloads.ts reads it: a page was not found.');
        return html.replace('</head>', () => `  ${screenFilesComment(complete)}\n  </head>`);
      },
    },
  };
}
