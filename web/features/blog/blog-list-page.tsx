import { useInfiniteQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import type { Post } from '#contract/blog/blog.ts';
import { PAGE_META } from '#contract/pages/page-meta.ts';
import { POST_STAND_INS } from '#contract/pages/page-templates.ts';
import { summaryOf } from '#contract/blog/post-summary.ts';
import { plural } from '#contract/language.ts';
import { Block } from '#web/shared/page/block.tsx';
import { TextLink, textLinkClass } from '#web/ui/external-link.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { Link } from '#web/ui/link.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { PostFacts, PostTags } from './post-parts.tsx';
import { listTag, POSTS_FAILED, publicPostsQuery } from './queries.ts';

export function BlogListPage() {
  const tag = listTag(useLocation().search);
  const posts = useInfiniteQuery(publicPostsQuery(tag));
  return (
    <div className="max-w-reading">
      <PageHeading
        title="Blog"
        hint={
          <>
            {PAGE_META['/blogs'].description} Also as a{' '}
            <a href="/feed.xml" className={textLinkClass}>
              feed
            </a>
            .
          </>
        }
      />
      {(tag !== '' || import.meta.env.SSR) && (
        <Block name="posts-tag">
          <p className="mb-4 text-14 text-ink-2">
            Posts tagged{' '}
            <strong className="font-medium text-ink">{tag || POST_STAND_INS.tag}</strong> ·{' '}
            <TextLink to="/blogs">All posts</TextLink>
          </p>
        </Block>
      )}
      {posts.isPending && <ListSkeleton />}
      {posts.isError && posts.data !== undefined && (
        <div className="mb-4">
          <ErrorLine message={POSTS_FAILED} query={posts} />
        </div>
      )}
      {posts.data !== undefined && posts.data.length > 0 && (
        <>
          <ul className="space-y-3">
            {posts.data.map((post) => (
              <Block key={post.id} name="post">
                <li>
                  <PostCard post={post} />
                </li>
              </Block>
            ))}
          </ul>
          {posts.hasNextPage && <LoadMore shown={plural(posts.data.length, 'post')} next={posts} />}
        </>
      )}
      {posts.data === undefined && posts.isError && (
        <Card>
          <FailedState title={POSTS_FAILED} query={posts} />
        </Card>
      )}
      {posts.data?.length === 0 && (
        <Card>
          <EmptyState title={tag === '' ? 'No blog posts yet' : 'No posts with this tag'}>
            Come back later, or subscribe to the feed.
          </EmptyState>
        </Card>
      )}
    </div>
  );
}

function PostCard({ post }: { post: Post }) {
  return (
    <Card
      dir="auto"
      className="relative p-5 transition-colors duration-150 hover:border-line-strong sm:p-6"
    >
      <h2 className="text-20 font-semibold tracking-tight [overflow-wrap:anywhere]">
        {/* The link covers the whole card. */}
        <Link
          to={`/blog/${post.slug}`}
          className="outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {post.title}
        </Link>
      </h2>
      <p className="mt-1 text-13 text-ink-3">
        <PostFacts post={post} /> <span className="max-sm:hidden">· </span>
        <span dir="ltr" className="font-mono text-12 [overflow-wrap:anywhere] max-sm:block">
          /blog/{post.slug}
        </span>
      </p>
      <p dir="auto" className="mt-3 text-14 leading-6 text-ink-2 [overflow-wrap:anywhere]">
        {summaryOf(post)}
      </p>
      <PostTags tags={post.tags} className="mt-4" />
    </Card>
  );
}

function ListSkeleton() {
  return (
    <Loading label="Loading posts…">
      <div className="space-y-3">
        {['a', 'b', 'c'].map((key) => (
          <Card key={key} className="p-5 sm:p-6">
            <Skeleton className="h-6 w-3/5" />
            <Skeleton className="mt-2 h-4 w-36" />
            <Skeleton className="mt-4 h-4 w-full" />
            <Skeleton className="mt-2 h-4 w-4/5" />
          </Card>
        ))}
      </div>
    </Loading>
  );
}
