import type { KeyboardEvent } from 'react';
import {
  EXCERPT_MAX,
  POST_AUTHOR_MAX,
  POST_SLUG_MAX,
  POST_TITLE_MAX,
  TAGS_PER_POST_MAX,
} from '#contract/limits.ts';
import { plural } from '#contract/language.ts';
import { readingMinutes } from '#contract/blog/post-summary.ts';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextareaField, TextField } from '#web/ui/text-field.tsx';
import { withSlug, withTitle, type DraftErrors, type PostDraft } from './post-draft.ts';

const describeLength = (content: string): string =>
  content === ''
    ? ''
    : `${plural(content.length, 'character')}, ${readingMinutes(content)} min read. `;

/** The signs that a text can have, with what they make (`worker/contract/blog/post-blocks.ts`). */
const SIGNS = [
  ['## Heading', 'a heading, ### a smaller one'],
  ['- item', 'a list; 1. a numbered one'],
  ['> text', 'a quotation'],
  ['**bold** *italic*', 'emphasis'],
  ['[text](https://…)', 'a link'],
  ['`code`', 'code; lines of code stand between two lines of ```'],
] as const;

export function DraftFields({
  draft,
  errors,
  onChange,
  onKey,
}: {
  draft: PostDraft;
  errors: DraftErrors;
  onChange: (draft: PostDraft) => void;
  onKey: (event: KeyboardEvent) => void;
}) {
  return (
    <div className="space-y-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Title"
          error={errors.title}
          required
          dir="auto"
          maxLength={POST_TITLE_MAX}
          value={draft.title}
          onText={(title) => onChange(withTitle(draft, title))}
        />
        <TextField
          {...VERBATIM}
          label="Slug"
          error={errors.slug}
          hint={<bdi dir="ltr">{`/blog/${draft.slug === '' ? '…' : draft.slug}`}</bdi>}
          required
          maxLength={POST_SLUG_MAX}
          className="font-mono"
          value={draft.slug}
          onText={(slug) => onChange(withSlug(draft, slug))}
        />
      </div>
      <div>
        <TextareaField
          label="Content"
          error={errors.content}
          hint={`${describeLength(draft.content)}Line breaks are kept and web addresses become links.`}
          required
          dir="auto"
          rows={10}
          onKeyDown={onKey}
          className="min-h-56 resize-y"
          value={draft.content}
          onText={(content) => onChange({ ...draft, content })}
        />
        <details className="mt-2 text-13 text-ink-2">
          <summary className="w-fit cursor-pointer text-ink-3 hover:text-ink">Formatting</summary>
          <dl className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
            {SIGNS.map(([sign, meaning]) => (
              <div key={sign} className="contents">
                <dt className="font-mono text-12 leading-5">{sign}</dt>
                <dd className="text-ink-3 max-sm:mb-1">{meaning}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
      <TextareaField
        label="Excerpt"
        error={errors.excerpt}
        hint={`For the list, the feed and shared links, up to ${EXCERPT_MAX} characters. Without one they show the beginning of the text.`}
        dir="auto"
        rows={2}
        maxLength={EXCERPT_MAX}
        value={draft.excerpt}
        onText={(excerpt) => onChange({ ...draft, excerpt: excerpt.replaceAll('\n', ' ') })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Author"
          error={errors.author}
          hint="The name that the post shows."
          dir="auto"
          maxLength={POST_AUTHOR_MAX}
          value={draft.author}
          onText={(author) => onChange({ ...draft, author })}
        />
        <TextField
          label="Tags"
          error={errors.tags}
          hint={`Up to ${TAGS_PER_POST_MAX}, with commas between them.`}
          dir="auto"
          value={draft.tags}
          onText={(tags) => onChange({ ...draft, tags })}
        />
      </div>
    </div>
  );
}
