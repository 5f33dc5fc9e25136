import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { postInput } from '#contract/blog.ts';
import { slugOf } from '#contract/post-text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const likely = fc.string({ unit: fc.constantFrom(...Array.from('aZ09 -_.!Éß\u0130\u00e9')), maxLength: 300 });

test('a slug made from any title is one the server accepts, or empty', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, likely), (title) => {
      const slug = slugOf(title);
      if (slug === '') expect(/[a-z0-9]/.test(title.toLowerCase())).toBe(false);
      else expect(postInput.shape.slug.safeParse(slug).success).toBe(true);
      expect(slugOf(slug)).toBe(slug);
    }),
    { numRuns: 2000 },
  );
});

test('the spec: lower case, runs of other characters become one hyphen, ends trimmed', () => {
  expect(slugOf('Hello, World!')).toBe('hello-world');
  expect(slugOf('  --10 Tips & Tricks (2025)--  ')).toBe('10-tips-tricks-2025');
  expect(slugOf('日本語')).toBe('');
});

test('an accepted title is one NFC line, and accepting it again changes nothing', () => {
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
    { numRuns: 2000 },
  );
});
