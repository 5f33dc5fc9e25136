import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Share2 } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { BROKEN_ARC, LOOPING_ARC } from '#contract/pages/arcs.ts';
import type { PostLink } from '#contract/blog/blog.ts';
import { RequestError } from '#web/shared/api/api.ts';
import { config } from '#web/shared/page/config.ts';
import { formatDate } from '#web/shared/texts/format.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { LinkButton, Button } from '#web/ui/button.tsx';
import { CHECK_CONNECTION } from '#web/ui/check-connection.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine, type Retry } from '#web/ui/error-line.tsx';
import { Link } from '#web/ui/link.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ParentLink } from '#web/ui/parent-link.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { PostContent } from './post-content.tsx';
import { PostFacts, PostTags } from './post-parts.tsx';
import { postQuery } from './queries.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';

const BLOG = { to: '/blogs', label: 'All posts' } as const;

export function BlogPostPage() {
  const { slug = '' } = useParams();
  const post = useQuery(postQuery(slug));
  if (post.isPending) return <PostSkeleton />;
  if (post.data === undefined) {
    const isMissing = post.error instanceof RequestError && post.error.status === 404;
    return <PostNotFound query={isMissing ? null : post} />;
  }
  const { title, content, created_at, published_at, updated_at, previous, next } = post.data;
  const isUpdated = formatDate(updated_at) !== formatDate(published_at ?? created_at);
  return (
    <article className="max-w-reading">
      <ParentLink {...BLOG} />
      {/* All parts are aligned in the direction of the title. */}
      <div dir="auto">
        <PageHeading
          title={title}
          hint={
            <>
              <PostFacts post={post.data} />
              {isUpdated && (
                <>
                  {' '}
                  · updated <Time at={updated_at}>{formatDate(updated_at)}</Time>
                </>
              )}
            </>
          }
          action={
            <div className="print:hidden">
              <ShareButton title={title} url={`${config.appOrigin}/blog/${post.data.slug}`} />
            </div>
          }
        />
        <PostContent content={content} />
        <PostTags tags={post.data.tags} className="mt-8" />
      </div>
      {(previous !== null || next !== null) && (
        <nav
          aria-label="More posts"
          className="mt-12 grid gap-3 border-t border-line pt-6 sm:grid-cols-2 print:hidden"
        >
          {previous !== null && <NeighborLink label="Previous post" post={previous} />}
          {next !== null && <NeighborLink label="Next post" post={next} end />}
        </nav>
      )}
    </article>
  );
}

/** `end` places the link in the right half, even if the left one is empty. */
function NeighborLink({
  label,
  post,
  end = false,
}: {
  label: string;
  post: PostLink;
  end?: boolean;
}) {
  return (
    <Link
      to={`/blog/${post.slug}`}
      className={clsx(
        'min-w-0 rounded-lg border border-line bg-surface p-4 transition-colors duration-150 hover:border-line-strong',
        end && 'sm:col-start-2 sm:text-end',
      )}
    >
      <span className="block text-13 text-ink-3">{label}</span>
      <span className="mt-1 line-clamp-2 text-14 font-medium [overflow-wrap:anywhere]">
        <bdi>{post.title}</bdi>
      </span>
    </Link>
  );
}

/** `query` is null if the post does not exist; otherwise loading it failed. */
function PostNotFound({ query }: { query: Retry | null }) {
  return (
    <div className="max-w-reading">
      <PageHeading parent={BLOG} title="Blog post not found" />
      {query !== null && (
        <div className="mb-4">
          <ErrorLine message="The post could not be loaded." query={query} />
        </div>
      )}
      <Card>
        <EmptyState
          arc={query === null ? BROKEN_ARC : LOOPING_ARC}
          title={query === null ? 'There is no post at this address' : 'We couldn’t load this post'}
          action={<LinkButton to="/blogs">Back to the blog</LinkButton>}
        >
          {query === null ? 'It may have been moved or unpublished.' : CHECK_CONNECTION}
        </EmptyState>
      </Card>
    </div>
  );
}

function PostSkeleton() {
  return (
    <Loading label="Loading the post…">
      <div className="max-w-reading">
        <Skeleton className="mb-1 h-5 w-20" />
        <Skeleton className="h-10 w-4/5" />
        <Skeleton className="mt-3 h-4 w-40" />
        {['w-full', 'w-11/12', 'w-5/6', 'w-4/5', 'w-2/3'].map((width) => (
          <Skeleton key={width} className={`mt-4 h-5 ${width}`} />
        ))}
      </div>
    </Loading>
  );
}

/** Opens the device's share sheet, or copies the page's link if the browser has none. */
function ShareButton({ title, url }: { title: string; url: string }) {
  if (!('share' in navigator) || typeof navigator.share !== 'function') {
    return <CopyButton text={url} label="Share" />;
  }
  const share = (): void => {
    // Closing the sheet without sharing also rejects, so errors are ignored.
    navigator.share({ title, url }).catch(() => undefined);
  };
  return (
    <Button onClick={share}>
      <Share2 className="size-4" />
      Share
    </Button>
  );
}
