import type { Manifest } from 'vite';
import { describe, expect, it } from 'vitest';
import { entryFiles, screenFiles } from './manifest.ts';

const manifest: Manifest = {
  'index.html': { file: 'index.js', isEntry: true, imports: ['_kit.js'], css: ['index.css'] },
  '_kit.js': { file: 'kit.js' },
  'features/a/page.tsx': {
    file: 'page.js',
    isDynamicEntry: true,
    imports: ['_kit.js', '_part.js', 'index.html'],
  },
  '_part.js': { file: 'part.js', imports: ['_deep.js'], dynamicImports: ['app/other.tsx'] },
  '_deep.js': { file: 'deep.js', imports: ['_part.js'] },
  'app/other.tsx': { file: 'other.js', isDynamicEntry: true },
};

describe('screenFiles', () => {
  it('follows static imports and leaves out the files of the entry', () => {
    expect(screenFiles(manifest, ['features/a/page.tsx'])).toEqual([
      '/page.js',
      '/part.js',
      '/deep.js',
    ]);
    expect(screenFiles(manifest, ['app/other.tsx'])).toEqual(['/other.js']);
  });

  it('throws for a module that no page loads', () => {
    expect(() => screenFiles(manifest, ['app/none.tsx'])).toThrow('app/none.tsx');
    expect(() => screenFiles(manifest, ['_kit.js'])).toThrow('_kit.js');
  });
});

describe('entryFiles', () => {
  it('returns the script and the style sheet of index.html', () => {
    expect(entryFiles(manifest)).toEqual({ script: 'index.js', styles: 'index.css' });
    expect(() => entryFiles({})).toThrow('no complete entry');
  });
});
