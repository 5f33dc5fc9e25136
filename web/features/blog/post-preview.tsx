import { summaryOf, readingMinutes } from '#contract/blog/post-summary.ts';
import { PostContent } from './post-content.tsx';
import { splitTags, type PostDraft } from './post-draft.ts';

/** The draft as its page and the list will show it, by the same components. */
export function PostPreview({ draft }: { draft: PostDraft }) {
  const { content, author } = draft;
  const excerpt = draft.excerpt.trim();
  const tags = splitTags(draft.tags);
  return (
    <article className="min-h-56 max-w-reading">
      <h3
        dir="auto"
        className="text-24 font-semibold tracking-tight [overflow-wrap:anywhere] sm:text-32"
      >
        {draft.title.trim() || 'Untitled'}
      </h3>
      {content.trim() === '' ? (
        <p className="mt-4 text-14 text-ink-3">Nothing to preview yet.</p>
      ) : (
        <>
          <p className="mt-1.5 mb-4 text-14 text-ink-2">
            {readingMinutes(content)} min read
            {author.trim() !== '' && (
              <>
                {' '}
                · by <bdi>{author.trim()}</bdi>
              </>
            )}
            {tags.length > 0 && ` · ${tags.join(', ')}`}
          </p>
          <PostContent content={content} />
          <div className="mt-8 border-t border-line pt-4">
            <p className="text-13 text-ink-3">In the list, the feed and shared links</p>
            <p dir="auto" className="mt-1 text-14 leading-6 text-ink-2 [overflow-wrap:anywhere]">
              {summaryOf({ excerpt, content })}
            </p>
          </div>
        </>
      )}
    </article>
  );
}
