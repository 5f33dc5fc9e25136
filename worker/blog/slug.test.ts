import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postInput } from '#contract/blog/blog.ts';
import { slugOf } from '#contract/blog/post-text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const likely = fc.string({
  unit: fc.constantFrom(...Array.from('aZ09 -_.!Éß\u0130\u00e9')),
  maxLength: 300,
});

describe('slugOf', () => {
  it('makes a slug that the API accepts, or none, from any title', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, likely), (title) => {
        const slug = slugOf(title);
        if (slug === '') expect(/[a-z0-9]/.test(title.toLowerCase())).toBe(false);
        else expect(postInput.shape.slug.safeParse(slug).success).toBe(true);
        expect(slugOf(slug)).toBe(slug);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('lower-cases, replaces other characters by one hyphen and trims', () => {
    expect(slugOf('Hello, World!')).toBe('hello-world');
    expect(slugOf('  --10 Tips & Tricks (2025)--  ')).toBe('10-tips-tricks-2025');
    expect(slugOf('日本語')).toBe('');
  });
});

describe('post title', () => {
  it('[T29] normalizes titles to one NFC line, idempotently', () => {
    const title = postInput.shape.title;
    fc.assert(
      fc.property(fc.oneof(anyText, likely), (text) => {
        const parsed = title.safeParse(text);
        if (!parsed.success) return;
        expect(parsed.data).toBe(parsed.data.normalize('NFC'));
        expect(parsed.data).not.toMatch(/[\p{Cc}\n]|^\s|\s$|\s\s/u);
        expect(parsed.data.length).toBeLessThanOrEqual(200);
        expect(title.parse(parsed.data)).toBe(parsed.data);
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});
