import { POST_CONTENT_MAX, POST_SLUG_MAX, POST_TITLE_MAX } from '#contract/limits.ts';
import { SLUG_PATTERN, slugOf } from '#contract/post-text.ts';
import { formatNumber } from '#contract/language.ts';

/**
 * The content of the form. `slugEdited` means that the writer changed the slug, so it no longer
 * follows the title.
 */
export type PostDraft = {
  title: string;
  slug: string;
  content: string;
  published: boolean;
  slugEdited: boolean;
};

export const NEW_DRAFT: PostDraft = {
  title: '',
  slug: '',
  content: '',
  published: false,
  slugEdited: false,
};

export type SavedPost = Pick<PostDraft, 'title' | 'slug' | 'content' | 'published'>;

/**
 * Converts a saved post to a draft. Its slug does not follow the title, because people may already
 * link to it.
 */
export const toDraft = ({ title, slug, content, published }: SavedPost): PostDraft => ({
  title,
  slug,
  content,
  published,
  slugEdited: true,
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

export const hasChanges = (draft: PostDraft, saved: SavedPost): boolean =>
  draft.title !== saved.title ||
  draft.slug !== saved.slug ||
  draft.content !== saved.content ||
  draft.published !== saved.published;

export type DraftErrors = Partial<Record<'title' | 'slug' | 'content', string>>;

/**
 * Returns the errors of a draft by field; empty if it can be saved. The server applies the same
 * rules.
 */
export function validateDraft(draft: PostDraft): DraftErrors {
  const title = draft.title.trim();
  const errors: DraftErrors = {};
  if (title === '') errors.title = 'Enter a title.';
  else if (title.length > POST_TITLE_MAX)
    errors.title = `Use at most ${POST_TITLE_MAX} characters.`;
  if (draft.slug === '') errors.slug = 'Enter a slug.';
  else if (draft.slug.length > POST_SLUG_MAX)
    errors.slug = `Use at most ${POST_SLUG_MAX} characters.`;
  else if (!SLUG_PATTERN.test(draft.slug))
    errors.slug = 'Use only lower-case letters, digits and single hyphens.';
  if (draft.content.trim() === '') errors.content = 'Enter the content of the post.';
  else if (draft.content.length > POST_CONTENT_MAX)
    errors.content = `Use at most ${formatNumber(POST_CONTENT_MAX)} characters.`;
  return errors;
}

export function parseDraft(text: string | null): PostDraft | null {
  if (text === null) return null;
  try {
    const value: Partial<PostDraft> | null = JSON.parse(text);
    if (value === null || typeof value !== 'object') return null;
    const { title, slug, content, published, slugEdited } = value;
    if (typeof title !== 'string' || typeof slug !== 'string' || typeof content !== 'string')
      return null;
    return { title, slug, content, published: published === true, slugEdited: slugEdited === true };
  } catch {
    return null;
  }
}
