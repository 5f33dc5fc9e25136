import type { Manifest } from 'vite';

/** The key of web/index.html, the application's entry, in Vite's manifest. */
const ENTRY = 'index.html';

export function withImports(
  manifest: Readonly<Record<string, { imports?: string[] | undefined }>>,
  sources: readonly string[],
): string[] {
  const keys = new Set(sources);
  // A set also iterates over items that are added meanwhile.
  for (const key of keys) for (const next of manifest[key]?.imports ?? []) keys.add(next);
  return [...keys];
}

export function entryFiles(manifest: Manifest): { script: string; styles: string } {
  const { file, css: [styles] = [] } = manifest[ENTRY] ?? { file: '' };
  if (file === '' || styles === undefined) throw new Error('The build has no complete entry.');
  return { script: file, styles };
}

/**
 * Returns the scripts that a page needs besides the entry: those of `modules` (paths below web/)
 * with their static imports.
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
