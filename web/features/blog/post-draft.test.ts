import { describe, expect, it } from 'vitest';
import {
  hasChanges,
  NEW_DRAFT,
  parseDraft,
  splitTags,
  toDraft,
  validateDraft,
  withSlug,
  withTitle,
} from './post-draft.ts';

const saved = {
  title: 'T',
  slug: 't',
  content: 'c',
  excerpt: '',
  author: '',
  tags: ['a', 'b'],
  published: false,
};

describe('slug', () => {
  it('the slug follows the title until it is edited', () => {
    const typed = withTitle(NEW_DRAFT, 'Hello, World!');
    expect(typed.slug).toBe('hello-world');
    const edited = withSlug(typed, 'hi');
    expect(withTitle(edited, 'Another title').slug).toBe('hi');
    expect(withTitle(withSlug(typed, ''), 'Another title').slug).toBe('');
  });

  it('the slug does not follow the title of a saved post', () => {
    expect(withTitle(toDraft({ ...saved, slug: 'old' }), 'New').slug).toBe('old');
  });
});

describe('validateDraft', () => {
  const valid = { ...toDraft(saved), slugEdited: false };

  it('accepts a valid draft', () => {
    expect(validateDraft(valid)).toEqual({});
  });

  it('reports each empty field', () => {
    expect(Object.keys(validateDraft({ ...NEW_DRAFT, title: '  ', content: '\n' }))).toEqual([
      'title',
      'slug',
      'content',
    ]);
  });

  it.each(['Upper', 'two--hyphens', '-edge', 'edge-', 'sp ace', 'ü'])(
    'rejects the slug "%s"',
    (slug) => {
      expect(validateDraft({ ...valid, slug }).slug).toContain('lower-case');
    },
  );

  it('accepts the maximum lengths and rejects one more', () => {
    expect(
      validateDraft({
        ...valid,
        title: 'a'.repeat(201),
        slug: 'a'.repeat(101),
        content: 'a'.repeat(100_001),
        excerpt: 'a'.repeat(201),
        author: 'a'.repeat(81),
        tags: 'a, b, c, d, e, f',
      }),
    ).toEqual({
      title: expect.stringContaining('200'),
      slug: expect.stringContaining('100'),
      content: expect.stringContaining('100,000'),
      excerpt: expect.stringContaining('200'),
      author: expect.stringContaining('80'),
      tags: expect.stringContaining('5'),
    });
    expect(
      validateDraft({
        ...valid,
        title: 'a'.repeat(200),
        slug: 'a'.repeat(100),
        content: 'a'.repeat(100_000),
        excerpt: 'a'.repeat(200),
        author: 'a'.repeat(80),
        tags: `a, b, c, d, A, ,${'e'.repeat(30)}`,
      }),
    ).toEqual({});
    expect(validateDraft({ ...valid, tags: 'e'.repeat(31) }).tags).toContain('30');
  });
});

describe('hasChanges', () => {
  it('returns true if any field differs from the saved post', () => {
    const base = toDraft(saved);
    expect(hasChanges(toDraft(saved), base)).toBe(false);
    for (const change of [
      { title: 'U' },
      { slug: 'u' },
      { content: 'd' },
      { excerpt: 'e' },
      { author: 'A' },
      { tags: 'a' },
      { published: true },
    ])
      expect(hasChanges({ ...base, ...change }, base)).toBe(true);
  });
});

describe('splitTags', () => {
  it('reads names with commas between them, each once and in lower case', () => {
    expect(splitTags(' Privacy,#analytics ,, privacy,  Two  words ')).toEqual([
      'privacy',
      'analytics',
      'two words',
    ]);
  });
});

describe('parseDraft', () => {
  it('reads a stored draft and returns null for anything else', () => {
    const draft = { ...withSlug(withTitle(NEW_DRAFT, 'Kept'), 'kept'), published: true };
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
    const untouched = withTitle(NEW_DRAFT, 'Kept');
    expect(parseDraft(JSON.stringify(untouched))).toEqual(untouched);
    // As the release before stored it.
    const earlier = { title: 'a', slug: 'b', content: 'c', published: false, slugEdited: true };
    expect(parseDraft(JSON.stringify(earlier))).toEqual({ ...NEW_DRAFT, ...earlier });
    for (const text of [null, '', 'null', '[]', '{"title":1}', '{"title":"a"}'])
      expect(parseDraft(text)).toBeNull();
  });
});
