import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGES } from '#contract/paths.ts';
import { collectFiles, parseScreenModules } from './screen-preloads.ts';

describe('parseScreenModules', () => {
  it('finds every page in app/pages.ts, with the query cache where it is used', () => {
    const modules = parseScreenModules(readFileSync('web/app/pages.ts', 'utf8'));
    expect([...modules.keys()].toSorted()).toEqual([...PAGES].toSorted());
    expect(modules.get('/')).toEqual(['./home-page.tsx']);
    expect(modules.get('/blogs')).toEqual([
      '#web/features/blog/blog-list-page.tsx',
      './query-client.tsx',
    ]);
  });
});

describe('collectFiles', () => {
  const chunk = (
    fileName: string,
    imports: string[],
    facadeModuleId: string | null = null,
    isEntry = false,
  ) => ({
    fileName,
    imports,
    facadeModuleId,
    isEntry,
  });
  const chunks = {
    'index.js': chunk('index.js', ['kit.js'], '/x/web/index.html', true),
    'kit.js': chunk('kit.js', []),
    'page.js': chunk('page.js', ['kit.js', 'part.js', 'index.js'], '/x/web/features/a/page.tsx'),
    'part.js': chunk('part.js', ['deep.js']),
    'deep.js': chunk('deep.js', ['part.js']),
    'other.js': chunk('other.js', [], '/x/web/app/other.tsx'),
  };

  it('follows imports and leaves out the files of the entry', () => {
    expect(collectFiles(['#web/features/a/page.tsx'], chunks)).toEqual([
      '/page.js',
      '/part.js',
      '/deep.js',
    ]);
    expect(collectFiles(['./other.tsx'], chunks)).toEqual(['/other.js']);
  });

  it('throws for a module without a file', () => {
    expect(() => collectFiles(['./none.tsx'], chunks)).toThrow(/none\.tsx/);
  });
});
