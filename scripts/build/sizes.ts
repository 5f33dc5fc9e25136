import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { withImports } from '#web/manifest.ts';
import { WEB_DIST } from '#scripts/shared/place.ts';

const chunk = z.object({
  file: z.string(),
  isEntry: z.optional(z.boolean()),
  imports: z.optional(z.array(z.string())),
  dynamicImports: z.optional(z.array(z.string())),
});
const manifest = z.record(z.string(), chunk);
export type Manifest = z.infer<typeof manifest>;

/** Reads Vite's manifest of web/dist: the file that each source became, and what it imports. */
export const readManifest = (): Manifest =>
  manifest.parse(JSON.parse(readFileSync(join(WEB_DIST, '.vite', 'manifest.json'), 'utf8')));

/** Returns the gzipped size of `file` in bytes (level 9). */
export const gzipSize = (file: string): number => gzipSync(readFileSync(file), { level: 9 }).length;

/**
 * Returns the JavaScript files that a browser loads for the screens in `sources` (paths under
 * web/): the entry, their chunks and all static imports. Throws if a source has no chunk.
 */
export function filesFor(chunks: Manifest, sources: readonly string[]): string[] {
  const entry = Object.keys(chunks).filter((key) => chunks[key]?.isEntry);
  const keys = withImports(chunks, [...entry, ...sources.map((source) => keyOf(chunks, source))]);
  return keys.map((key) => chunks[key]?.file ?? '').filter((file) => file.endsWith('.js'));
}

/** Returns the chunks of a static import cycle in order; empty if there is none. */
export function findCycle(chunks: Manifest): string[] {
  const done = new Set<string>();
  const visit = (key: string, path: readonly string[]): string[] => {
    if (path.includes(key)) return path.slice(path.indexOf(key));
    if (done.has(key)) return [];
    done.add(key);
    for (const next of chunks[key]?.imports ?? []) {
      const cycle = visit(next, [...path, key]);
      if (cycle.length > 0) return cycle;
    }
    return [];
  };
  for (const key of Object.keys(chunks)) {
    const cycle = visit(key, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

function keyOf(chunks: Manifest, source: string): string {
  const key = Object.keys(chunks).find((name) => name === source || name.endsWith(`/${source}`));
  if (key === undefined) throw new Error(`The build has no chunk for ${source}.`);
  return key;
}
