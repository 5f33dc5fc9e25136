import { cleanup, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, expect, it, vi } from 'vitest';
import type { PublicPost } from '#contract/blog/blog.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { BlogPostPage } from './blog-post-page.tsx';

const POST: PublicPost = {
  id: 1,
  title: 'Hello',
  slug: 'hello',
  content: 'Some text.',
  excerpt: '',
  author: 'Asha Rao',
  tags: ['news'],
  published: true,
  created_at: '2026-11-18T12:00:00Z',
  updated_at: '2026-11-20T13:00:00Z',
  published_at: '2026-11-20T12:00:00Z',
  previous: { slug: 'older', title: 'Older' },
  next: { slug: 'newer', title: 'Newer' },
};

const CHANGED = '2026-11-22T12:00:00Z';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'share');
});

function show(answer: Partial<PublicPost> | (() => Response) = {}): void {
  serveRoutes({
    'GET /api/blog/hello': typeof answer === 'function' ? answer : { ...POST, ...answer },
  });
  const page = (
    <Routes>
      <Route path="/blog/:slug" element={<BlogPostPage />} />
    </Routes>
  );
  showPage(page, '/blog/hello');
}

it('a post shows its date and author, and the posts beside it', async () => {
  show();
  const heading = await screen.findByRole('heading', { level: 1, name: 'Hello' });
  const article = screen.getByRole('article');
  expect(heading.closest('[dir="auto"]')).not.toBeNull();
  expect(article.textContent).toContain('Nov 20, 2026 · 1 min read · by Asha Rao');
  expect(article.textContent).not.toContain('updated');
  expect(screen.getByRole('link', { name: 'news' }).getAttribute('href')).toBe('/blogs?tag=news');
  const links = [...screen.getByRole('navigation', { name: 'More posts' }).children];
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Previous postOlder', '/blog/older'],
    ['Next postNewer', '/blog/newer'],
  ]);
  // The next post is on the right, even without a previous one.
  expect(links.map(({ className }) => className.includes('sm:col-start-2'))).toEqual([false, true]);
});

it('a post says when it was changed on a later day; the only one leads to no others', async () => {
  show({ updated_at: CHANGED, previous: null, next: null });
  await screen.findByRole('heading', { level: 1, name: 'Hello' });
  expect(screen.getByRole('article').textContent).toContain('· updated Nov 22, 2026');
  const times = [...screen.getByRole('article').querySelectorAll('time')];
  expect(times.map(({ dateTime }) => dateTime)).toEqual([POST.published_at, CHANGED]);
  expect(screen.queryByRole('navigation', { name: 'More posts' })).toBeNull();
  for (const other of ['previous', 'next']) {
    cleanup();
    show({ [other]: null });
    const posts = await screen.findByRole('navigation', { name: 'More posts' });
    expect(posts.textContent).toBe(other === 'next' ? 'Previous postOlder' : 'Next postNewer');
  }
});

it('Share opens the sheet of the device, or copies the address', async () => {
  const share = vi.fn(() => Promise.reject(new Error('Closed.')));
  Object.assign(navigator, { share });
  show();
  await press('Share');
  expect(share).toHaveBeenCalledExactlyOnceWith({
    title: 'Hello',
    url: expect.stringMatching(/\/blog\/hello$/),
  });
  cleanup();
  Reflect.deleteProperty(navigator, 'share');
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  show();
  await press('Share');
  expect(writeText).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/\/blog\/hello$/));
});

it.each([
  [404, 'There is no post at this address', false],
  [503, 'We couldn’t load this post', true],
])('a post that is not there with %i says why', async (status, title, offersRetry) => {
  show(failure(status, 'No.'));
  expect(await screen.findByText(title)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry' }) !== null).toBe(offersRetry);
  expect(screen.getByRole('link', { name: 'Back to the blog' }).getAttribute('href')).toBe(
    '/blogs',
  );
});
