import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { currentAddress, press, showPage } from '#web/testing/render-page.tsx';
import { BlogListPage } from './blog-list-page.tsx';

const POST = {
  id: 1,
  title: 'Hello',
  slug: 'hello',
  content: 'Some text.',
  excerpt: '',
  author: '',
  tags: [] as string[],
  published: true,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-21T12:00:00Z',
  published_at: null,
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('a blog without posts says so and offers no Retry', async () => {
  serveRoutes({ 'GET /api/blogs': [] });
  showPage(<BlogListPage />);
  expect(await screen.findByText('No blog posts yet')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(screen.getByRole('link', { name: 'feed' }).getAttribute('href')).toBe('/feed.xml');
});

it('posts that could not be loaded are not said to be none, and Retry loads them', async () => {
  let fails = true;
  const down = failure(503, 'Down.');
  serveRoutes({ 'GET /api/blogs': () => (fails ? down() : Response.json([POST])) });
  showPage(<BlogListPage />);
  expect(await screen.findByText('The posts could not be loaded.')).toBeTruthy();
  expect(screen.queryByText('No blog posts yet')).toBeNull();
  fails = false;
  await press('Retry');
  expect((await screen.findByRole('link', { name: 'Hello' })).getAttribute('href')).toBe(
    '/blog/hello',
  );
  expect(screen.getByText(/1 min read/)).toBeTruthy();
  expect(screen.getByText('/blog/hello')).toBeTruthy();
  expect(screen.queryByText('The posts could not be loaded.')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  expect(screen.queryByText(/^Posts tagged/)).toBeNull();
});

it('the posts stay when more of them could not be loaded', async () => {
  const headers = { Link: '</api/blogs?before=1>; rel="next"' };
  let isFirst = true;
  serveRoutes({
    'GET /api/blogs': () => {
      if (!isFirst) return failure(503, 'Down.')();
      isFirst = false;
      return Response.json([POST], { headers });
    },
  });
  showPage(<BlogListPage />);
  expect(await screen.findByText('1 post')).toBeTruthy();
  await press('Load more');
  expect(await screen.findByText('The posts could not be loaded.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Hello' })).toBeTruthy();
});

it('a card shows excerpt, author and tags, which lead to the posts with a tag', async () => {
  const tagged = { ...POST, excerpt: 'Chosen.', author: 'Asha Rao', tags: ['c++ & more', 'news'] };
  const other = { ...POST, id: 2, slug: 'other', title: 'Other' };
  const calls = serveRoutes({
    'GET /api/blogs': () => {
      const isFiltered = calls.at(-1)?.call === 'GET /api/blogs?tag=c%2B%2B%20%26%20more';
      return isFiltered ? [tagged] : [other, tagged];
    },
  });
  showPage(<BlogListPage />, '/blogs');
  const [plain, card] = await screen.findAllByRole('listitem');
  if (plain === undefined || card === undefined) throw new Error('no cards');
  expect(plain.textContent).toMatch(/1 min read · \/blog\/other.*Some text\.$/);
  expect(card.textContent).toMatch(/1 min read · by Asha Rao · \/blog\/hello/);
  expect(within(card).getByText('Chosen.')).toBeTruthy();
  expect(within(card).queryByText('Some text.')).toBeNull();
  fireEvent.click(screen.getByRole('link', { name: 'c++ & more' }));
  expect(currentAddress()).toBe('/blogs?tag=c%2B%2B%20%26%20more');
  expect(await screen.findByText(/^Posts tagged/)).toBeTruthy();
  expect(await screen.findAllByRole('listitem')).toHaveLength(1);
  expect(calls.length).toBe(2);
  fireEvent.click(screen.getByRole('link', { name: 'All posts' }));
  expect(await screen.findAllByRole('listitem')).toHaveLength(2);
});

it('a tag without posts says so and leads to all posts', async () => {
  serveRoutes({ 'GET /api/blogs': [] });
  showPage(<BlogListPage />, '/blogs?tag=none');
  expect(await screen.findByText('No posts with this tag')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'All posts' }).getAttribute('href')).toBe('/blogs');
});
