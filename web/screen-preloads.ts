import { readFileSync } from 'node:fs';
import type { Plugin, Rollup } from 'vite';
import { PAGES, type Page } from '#contract/paths.ts';
import { hasEveryPage, screenFilesComment, type ScreenFiles } from '#contract/screen-files.ts';

const ENTRY = /'(\/[^']*)':\s*\{\s*load:\s*\(\)\s*=>\s*import\('([^']+)'\)([^}]*)\}/g;

/**
 * The modules that app/pages.ts loads for each page. The build fails if it does not find every page
 * in that file.
 */
export function parseScreenModules(source: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, page = '', module = '', rest = ''] of source.matchAll(ENTRY)) {
    found.set(page, rest.includes('noQueries: true') ? [module] : [module, './query-client.tsx']);
  }
  return found;
}

type Chunks = Readonly<
  Record<string, Pick<Rollup.OutputChunk, 'fileName' | 'facadeModuleId' | 'imports' | 'isEntry'>>
>;

/**
 * The files of `modules` and of everything they import, except those that the entry loads anyway.
 */
export function collectFiles(modules: readonly string[], chunks: Chunks): string[] {
  const all = Object.values(chunks);
  const addWithImports = (file: string, files: Set<string>): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const imported of chunks[file]?.imports ?? []) addWithImports(imported, files);
  };
  const entryFiles = new Set<string>();
  for (const chunk of all) if (chunk.isEntry) addWithImports(chunk.fileName, entryFiles);
  const files = new Set<string>();
  for (const module of modules) {
    const suffix = module.startsWith('#web/')
      ? `/web/${module.slice('#web/'.length)}`
      : `/app/${module.replace('./', '')}`;
    const chunk = all.find(({ facadeModuleId }) => facadeModuleId?.endsWith(suffix) === true);
    if (chunk === undefined)
      throw new Error(`app/pages.ts loads ${module}, but the build has no file for it.`);
    addWithImports(chunk.fileName, files);
  }
  return [...files].filter((file) => !entryFiles.has(file)).map((file) => `/${file}`);
}

/**
 * Tells the Worker which files the screen of each page needs, so that they load in parallel with
 * the entry.
 */
export function screenPreloads(): Plugin {
  return {
    name: 'hop:screen-preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.fromEntries(
          Object.values(bundle ?? {}).flatMap((output) =>
            output.type === 'chunk' ? [[output.fileName, output]] : [],
          ),
        );
        const modules = parseScreenModules(
          readFileSync(new URL('app/pages.ts', import.meta.url), 'utf8'),
        );
        const files: Partial<Record<Page, string[]>> = {};
        for (const page of PAGES) {
          const pageModules = modules.get(page);
          if (pageModules !== undefined) files[page] = collectFiles(pageModules, chunks);
        }
        const complete: Partial<ScreenFiles> = files;
        if (!hasEveryPage(complete))
          throw new Error(
            'web/screen-preloads.ts could not find every page in app/pages.ts. Keep the format of its table.',
          );
        return html.replace('</head>', () => `  ${screenFilesComment(complete)}\n  </head>`);
      },
    },
  };
}
