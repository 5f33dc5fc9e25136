import { describe, expect, test } from 'vitest';
import { toDraft, hasChanges, NEW_DRAFT, parseDraft, validateDraft, withSlug, withTitle } from './post-draft.ts';

describe('the slug', () => {
  test('follows the title until it is edited, and not after', () => {
    const typed = withTitle(NEW_DRAFT, 'Hello, World!');
    expect(typed.slug).toBe('hello-world');
    const edited = withSlug(typed, 'hi');
    expect(withTitle(edited, 'Another title').slug).toBe('hi');
    expect(withTitle(withSlug(typed, ''), 'Another title').slug).toBe('');
  });

  test('of a saved post stays when its title changes', () => {
    const saved = { title: 'Old', slug: 'old', content: 'x', published: true };
    expect(withTitle(toDraft(saved), 'New').slug).toBe('old');
  });
});

describe('what the form refuses', () => {
  const good = { title: 'T', slug: 't', content: 'c', published: false, slugEdited: false };

  test('nothing of a good post', () => {
    expect(validateDraft(good)).toEqual({});
  });

  test('empty members, each by name', () => {
    expect(Object.keys(validateDraft({ ...NEW_DRAFT, title: '  ', content: '\n' }))).toEqual(['title', 'slug', 'content']);
  });

  test.each(['Upper', 'two--hyphens', '-edge', 'edge-', 'sp ace', 'ü'])('the slug %s', (slug) => {
    expect(validateDraft({ ...good, slug }).slug).toContain('lower-case');
  });

  test('what is too long', () => {
    expect(validateDraft({ ...good, title: 'a'.repeat(201), slug: 'a'.repeat(101), content: 'a'.repeat(100_001) })).toEqual({
      title: expect.stringContaining('200'),
      slug: expect.stringContaining('100'),
      content: expect.stringContaining('100,000'),
    });
    expect(validateDraft({ ...good, title: 'a'.repeat(200), slug: 'a'.repeat(100), content: 'a'.repeat(100_000) })).toEqual({});
  });
});

test('a draft is changed when a member differs from what is saved', () => {
  const saved = { title: 'T', slug: 't', content: 'c', published: false };
  expect(hasChanges(toDraft(saved), saved)).toBe(false);
  for (const change of [{ title: 'U' }, { slug: 'u' }, { content: 'd' }, { published: true }]) {
    expect(hasChanges({ ...toDraft(saved), ...change }, saved)).toBe(true);
  }
});

test('a kept draft is read back; anything else is no draft', () => {
  const draft = withTitle(NEW_DRAFT, 'Kept');
  expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
  for (const text of [null, '', 'null', '[]', '{"title":1}', '{"title":"a"}']) expect(parseDraft(text)).toBeNull();
});
