import { tagOf, type Post, type PostInput } from '#contract/blog/blog.ts';
import {
  EXCERPT_MAX,
  POST_AUTHOR_MAX,
  POST_CONTENT_MAX,
  POST_SLUG_MAX,
  POST_TAG_MAX,
  POST_TITLE_MAX,
  TAGS_PER_POST_MAX,
} from '#contract/limits.ts';
import { SLUG_PATTERN, slugOf } from '#contract/blog/post-text.ts';
import { limitMessage } from '#contract/limit-message.ts';

/** The texts of the form; `tags` is what was typed, with commas. */
type DraftTexts = Record<'title' | 'slug' | 'content' | 'excerpt' | 'author' | 'tags', string>;
const TEXTS = ['title', 'slug', 'content', 'excerpt', 'author', 'tags'] as const;

/**
 * The content of the form. `slugEdited` means that the writer changed the slug, so it no longer
 * follows the title.
 */
export type PostDraft = DraftTexts & { published: boolean; slugEdited: boolean };

export const NEW_DRAFT: PostDraft = {
  title: '',
  slug: '',
  content: '',
  excerpt: '',
  author: '',
  tags: '',
  published: false,
  slugEdited: false,
};

export type SavedPost = Pick<
  Post,
  'title' | 'slug' | 'content' | 'excerpt' | 'author' | 'tags' | 'published'
>;

/**
 * Converts a saved post to a draft. Its slug does not follow the title, because people may already
 * link to it.
 */
export const toDraft = ({ tags, ...post }: SavedPost): PostDraft => ({
  title: post.title,
  slug: post.slug,
  content: post.content,
  excerpt: post.excerpt,
  author: post.author,
  tags: tags.join(', '),
  published: post.published,
  slugEdited: true,
});

/** The tags of a text such as 'Privacy, analytics', as they are stored. */
export const splitTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map(tagOf)
      .filter((tag) => tag !== ''),
  ),
];

/** What is sent to save the draft. */
export const toInput = (draft: PostDraft): PostInput => ({
  title: draft.title.trim(),
  slug: draft.slug,
  content: draft.content,
  excerpt: draft.excerpt.trim(),
  author: draft.author.trim(),
  tags: splitTags(draft.tags),
  published: draft.published,
});

/** Returns the draft with another title. The slug follows the title until it is edited. */
export const withTitle = (draft: PostDraft, title: string): PostDraft => ({
  ...draft,
  title,
  slug: draft.slugEdited ? draft.slug : slugOf(title),
});

export const withSlug = (draft: PostDraft, slug: string): PostDraft => ({
  ...draft,
  slug,
  slugEdited: true,
});

export const hasChanges = (draft: PostDraft, base: PostDraft): boolean =>
  draft.published !== base.published || TEXTS.some((name) => draft[name] !== base[name]);

export type DraftErrors = Partial<DraftTexts>;

/**
 * Returns the errors of a draft by field; empty if it can be saved. The server applies the same
 * rules.
 */
export function validateDraft(draft: PostDraft): DraftErrors {
  const { title, excerpt, author, tags } = toInput(draft);
  const errors: DraftErrors = {};
  if (title === '') errors.title = 'Enter a title.';
  else if (title.length > POST_TITLE_MAX) errors.title = limitMessage('The title', POST_TITLE_MAX);
  if (draft.slug === '') errors.slug = 'Enter a slug.';
  else if (draft.slug.length > POST_SLUG_MAX) errors.slug = limitMessage('The slug', POST_SLUG_MAX);
  else if (!SLUG_PATTERN.test(draft.slug))
    errors.slug = 'Use only lower-case letters, digits and single hyphens.';
  if (draft.content.trim() === '') errors.content = 'Enter the content of the post.';
  else if (draft.content.length > POST_CONTENT_MAX)
    errors.content = limitMessage('The content', POST_CONTENT_MAX);
  if (excerpt.length > EXCERPT_MAX) errors.excerpt = limitMessage('The excerpt', EXCERPT_MAX);
  if (author.length > POST_AUTHOR_MAX)
    errors.author = limitMessage('The name of the author', POST_AUTHOR_MAX);
  if (tags.length > TAGS_PER_POST_MAX)
    errors.tags = limitMessage('A post', TAGS_PER_POST_MAX, 'tag');
  else if (tags.some((tag) => tag.length > POST_TAG_MAX))
    errors.tags = limitMessage('A tag', POST_TAG_MAX);
  return errors;
}

/** Reads a draft that this tab has stored; null if it is none. */
export function parseDraft(text: string | null): PostDraft | null {
  if (text === null) return null;
  try {
    const value: Partial<Record<keyof PostDraft, unknown>> | null = JSON.parse(text);
    if (value === null || typeof value !== 'object') return null;
    const draft: PostDraft = {
      ...NEW_DRAFT,
      published: value.published === true,
      slugEdited: value.slugEdited === true,
    };
    for (const name of TEXTS) {
      const typed = value[name];
      if (typeof typed === 'string') draft[name] = typed;
      // A tab of the release before has stored a draft without the other three.
      else if (name === 'title' || name === 'slug' || name === 'content') return null;
    }
    return draft;
  } catch {
    return null;
  }
}
