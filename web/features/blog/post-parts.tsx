import type { Post } from '#contract/blog/blog.ts';
import { readingMinutes } from '#contract/blog/post-summary.ts';
import { Block } from '#web/shared/page/block.tsx';
import { formatDate } from '#web/shared/texts/format.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { Link } from '#web/ui/link.tsx';

/** When a post was published, how long it takes to read, and who wrote it. */
export function PostFacts({ post }: { post: Post }) {
  const date = post.published_at ?? post.created_at;
  return (
    <>
      <Time at={date}>{formatDate(date)}</Time> · {readingMinutes(post.content)} min read
      {post.author !== '' && (
        <Block name="post-author">
          {' '}
          · by <bdi>{post.author}</bdi>
        </Block>
      )}
    </>
  );
}

/** The tags of a post, each with the way to all posts that have it. */
export const PostTags = ({ tags, className }: { tags: readonly string[]; className: string }) => (
  <p className={`flex flex-wrap gap-1.5 empty:hidden ${className}`}>
    {tags.map((tag) => (
      <Block key={tag} name="post-tag">
        <Link
          to={`/blogs?tag=${encodeURIComponent(tag)}`}
          className="relative rounded-full border border-line px-2.5 py-0.5 text-12 text-ink-2 [overflow-wrap:anywhere] hover:border-line-strong hover:text-ink pointer-coarse:py-2"
        >
          <bdi>{tag}</bdi>
        </Link>
      </Block>
    ))}
  </p>
);
