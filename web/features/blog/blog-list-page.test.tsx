import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { BlogListPage } from './blog-list-page.tsx';

const POST = {
  id: 1,
  title: 'Hello',
  slug: 'hello',
  content: 'Some text.',
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
});
