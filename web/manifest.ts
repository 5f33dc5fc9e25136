import type { Manifest } from 'vite';

/** The key of web/index.html in Vite's manifest: the entry of the application. */
const ENTRY = 'index.html';

/** The keys of `sources` and of everything that they import statically. */
export function withImports(
  manifest: Readonly<Record<string, { imports?: string[] | undefined }>>,
  sources: readonly string[],
): string[] {
  const keys = new Set(sources);
  // A set also visits what is added while it is read.
  for (const key of keys) for (const next of manifest[key]?.imports ?? []) keys.add(next);
  return [...keys];
}

/** The files of the entry: its script and its style sheet. */
export function entryFiles(manifest: Manifest): { script: string; styles: string } {
  const { file, css: [styles] = [] } = manifest[ENTRY] ?? { file: '' };
  if (file === '' || styles === undefined) throw new Error('The build has no complete entry.');
  return { script: file, styles };
}

/**
 * The scripts that a page needs besides the entry: those of `modules` (paths below web/) and of
 * everything that they import.
 */
export function screenFiles(manifest: Manifest, modules: readonly string[]): string[] {
  for (const module of modules)
    if (manifest[module]?.isDynamicEntry !== true)
      throw new Error(`web/app/pages.ts names ${module}, but no page loads that module.`);
  const ofEntry = new Set(withImports(manifest, [ENTRY]));
  return withImports(manifest, modules).flatMap((key) => {
    const file = manifest[key]?.file;
    return file === undefined || ofEntry.has(key) ? [] : [`/${file}`];
  });
}
