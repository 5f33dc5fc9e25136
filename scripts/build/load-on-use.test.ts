import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadOnUse } from './load-on-use.ts';

const seen: string[] = [];
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hop-chunks-'));
  Object.assign(globalThis, { seen });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Page = { start: unknown; default: () => string };
type Index = {
  isStart: (value: unknown) => boolean;
  one: () => Promise<Page>;
  two: () => Promise<string>;
};

/** Builds these files with the plugin, and imports the entry, `index.js`. */
async function load(name: string, files: Record<string, string>): Promise<Index> {
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const outDir = join(folder, name);
  await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    plugins: [loadOnUse()],
    build: {
      ssr: 'index.js',
      outDir,
      minify: false,
      rolldownOptions: {
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'index.mjs', chunkFileNames: '[name].mjs' },
      },
    },
  });
  const index: Index = await import(join(outDir, 'index.mjs'));
  return index;
}

const SHARED = `seen.push('shared'); export const shared = { name: 'shared' };`;
const AT_START = `seen.push('start'); export class Start {}`;
const PAGE = (name: string) => `
  import { shared as common } from './shared.js';
  import { Start } from './start.js';
  seen.push('${name}');
  export const start = new Start();
  export default function page() { return '${name} of ' + common.name; }`;
const INDEX = `
  import { Start } from './start.js';
  seen.push('index');
  export const isStart = (value) => value instanceof Start;
  export const one = () => import('./one.js');
  export const two = async () => (await import('./two.js')).default();`;
const FILES = {
  'index.js': INDEX,
  'one.js': PAGE('one'),
  'two.js': PAGE('two'),
  'shared.js': SHARED,
  'start.js': AT_START,
};

describe('loadOnUse', () => {
  it('runs a chunk once, on its first use, after what it imports', async () => {
    const index = await load('site', FILES);
    expect(seen).toEqual(['start', 'index']);
    const page = await index.one();
    expect(seen).toEqual(['start', 'index', 'shared', 'one']);
    expect([page.default(), index.isStart(page.start)]).toEqual(['one of shared', true]);
    expect(await index.one()).toBe(page);
    expect(await index.two()).toBe('two of shared');
    expect(seen).toEqual(['start', 'index', 'shared', 'one', 'two']);
  });

  it.each([
    'const change = (value) => (shared = value);',
    'const change = () => shared++;',
    'function change(value) { ({ shared } = { shared: value }); }',
    'const change = function (value) { ({ other: [shared = 3] } = { other: [value] }); };',
    'const change = (value) => ({ ...shared } = { value });',
  ])('fails where importers would not see that an export changes: %s', async (change) => {
    const shared = `export let shared = 1; export ${change}`;
    const one = `import { shared, change } from './shared.js'; change(2); export { shared };`;
    const files = { ...FILES, 'shared.js': shared, 'one.js': one };
    await expect(load('changes', files)).rejects.toThrow('changes shared');
  });
});
