import { POST_CONTENT_MAX, POST_SLUG_MAX, POST_TITLE_MAX } from '#contract/limits.ts';
import { SLUG_PATTERN, slugOf } from '#contract/post-text.ts';

/** What the form holds. `slugEdited`: the writer touched the slug, so it no longer follows the title (spec §2). */
export type PostDraft = { title: string; slug: string; content: string; published: boolean; slugEdited: boolean };

export const NEW_DRAFT: PostDraft = { title: '', slug: '', content: '', published: false, slugEdited: false };

type Saved = Pick<PostDraft, 'title' | 'slug' | 'content' | 'published'>;

/** A saved post as a draft: its slug is in people's links already and follows nothing. */
export const toDraft = ({ title, slug, content, published }: Saved): PostDraft => ({
  title,
  slug,
  content,
  published,
  slugEdited: true,
});

/** The draft under another title; the slug follows until it has been edited. */
export const withTitle = (draft: PostDraft, title: string): PostDraft => ({
  ...draft,
  title,
  slug: draft.slugEdited ? draft.slug : slugOf(title),
});

export const withSlug = (draft: PostDraft, slug: string): PostDraft => ({ ...draft, slug, slugEdited: true });

/** True if saving `draft` would change something. */
export const hasChanges = (draft: PostDraft, saved: Saved): boolean =>
  draft.title !== saved.title ||
  draft.slug !== saved.slug ||
  draft.content !== saved.content ||
  draft.published !== saved.published;

export type Problems = Partial<Record<'title' | 'slug' | 'content', string>>;

/** What the server would refuse, in the words of the form; empty for a draft that can be saved (spec §5: all three are required). */
export function validateDraft(draft: PostDraft): Problems {
  const title = draft.title.trim();
  const problems: Problems = {};
  if (title === '') problems.title = 'A post needs a title.';
  else if (title.length > POST_TITLE_MAX) problems.title = `A title has at most ${POST_TITLE_MAX} characters.`;
  if (draft.slug === '') problems.slug = 'A post needs a slug.';
  else if (draft.slug.length > POST_SLUG_MAX) problems.slug = `A slug has at most ${POST_SLUG_MAX} characters.`;
  else if (!SLUG_PATTERN.test(draft.slug)) problems.slug = 'A slug holds lower-case letters, digits and single hyphens.';
  if (draft.content.trim() === '') problems.content = 'A post needs content.';
  else if (draft.content.length > POST_CONTENT_MAX)
    problems.content = `A post has at most ${POST_CONTENT_MAX.toLocaleString('en')} characters.`;
  return problems;
}

/** Reads a draft kept by this tab; null for anything that is none. */
export function parseDraft(text: string | null): PostDraft | null {
  if (text === null) return null;
  try {
    const value: Partial<PostDraft> | null = JSON.parse(text);
    if (value === null || typeof value !== 'object') return null;
    const { title, slug, content, published, slugEdited } = value;
    if (typeof title !== 'string' || typeof slug !== 'string' || typeof content !== 'string') return null;
    return { title, slug, content, published: published === true, slugEdited: slugEdited === true };
  } catch {
    return null;
  }
}
