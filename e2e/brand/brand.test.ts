import { describe, expect, it } from 'vitest';
import { BRAND_COLORS, MARK } from '#contract/pages/brand.ts';
import { readText } from '#scripts/shared/markdown.ts';
import { MARK_FILES } from './brand.ts';

describe('files of the mark', () => {
  it.each(Object.entries(MARK_FILES))('%s is the mark as it is drawn now', (path, svg) => {
    expect(readText(path)).toBe(svg);
    expect(svg).toContain(MARK.arc);
  });

  it('docs/brand.md names every file and every color outside the stylesheet', () => {
    const text = readText('docs/brand.md');
    for (const path of Object.keys(MARK_FILES)) expect(text).toContain(path.replace('docs/', ''));
    for (const color of Object.values(BRAND_COLORS)) expect(text).toContain(color);
  });
});
