import { act, cleanup, render, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pageOf, type PagePath } from '#contract/pages/paths.ts';
import { untilUsed } from '#web/shared/page/first-use.ts';
import { startSession } from '#web/shared/session/session.ts';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { Loading } from '#web/ui/skeleton.tsx';
import { AppContent } from './app.tsx';
import { screenOf } from './pages.ts';
import { queries } from './query-client.tsx';
import { loadScreen } from './screen-loading.ts';
import { startApp } from './start-app.tsx';

/** The roots of the applications that a test has started. */
const roots = vi.hoisted((): { unmount: () => void }[] => []);
vi.mock('react-dom/client', async (load) => {
  const { createRoot, hydrateRoot } = await load<typeof import('react-dom/client')>();
  const record = <Root extends { unmount: () => void }>(root: Root): Root => {
    roots.push(root);
    return root;
  };
  return {
    createRoot: (...args: Parameters<typeof createRoot>) => record(createRoot(...args)),
    hydrateRoot: (...args: Parameters<typeof hydrateRoot>) => record(hydrateRoot(...args)),
  };
});

const register = vi.fn(async () => undefined);
beforeEach(() =>
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { register } }),
);
afterEach(() => {
  act(() => roots.splice(0).forEach((root) => root.unmount()));
  cleanup();
  queries.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  register.mockClear();
  localStorage.clear();
  startSession();
  window.history.replaceState(null, '', '/');
  delete window.hopStarted;
});

/** Puts a page into the document as the Worker serves it, to members or to visitors. */
function serve(path: string, html: string, isForMembers = false): HTMLElement {
  window.history.replaceState(window.history.state, '', path);
  const root = document.createElement('div');
  root.id = 'root';
  if (isForMembers) root.dataset['members'] = '';
  root.innerHTML = html;
  document.documentElement.dataset['member'] = '';
  document.body.replaceChildren(root);
  return root;
}
const load = (page: PagePath) => loadScreen(screenOf(page).load, 60_000);

it('a page that equals the first render is hydrated, and waits for its first use', async () => {
  await load('/terms');
  const html = renderToString(
    <StrictMode>
      <StaticRouter location="/terms">
        <AppContent />
      </StaticRouter>
    </StrictMode>,
  );
  const root = serve('/terms', html);
  const footer = root.querySelector('footer');
  const listen = vi.spyOn(window, 'addEventListener');
  await act(() => startApp(root));
  expect(footer).not.toBeNull();
  expect(document.querySelector('footer')).toBe(footer);
  expect(window.hopStarted).toBe(true);
  expect(document.documentElement.hasAttribute('data-member')).toBe(false);
  const onUse = vi.fn();
  void untilUsed().then(onUse);
  await act(async () => undefined);
  expect(onUse).not.toHaveBeenCalled();
  expect(listen.mock.calls.map(([event]) => event)).toContain('beforeunload');
  expect(register).not.toHaveBeenCalled();
});

it('a page with posts is replaced once they have loaded, and keeps the focus', async () => {
  await load('/blogs');
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: /standalone.*minimal/.test(query) }));
  let answer: (posts: object) => void = () => undefined;
  const calls = serveRoutes({
    'GET /api/blogs': () => new Promise<object>((done) => (answer = done)),
  });
  const root = serve('/blogs?tag=a', '<a href="/terms">Terms</a>');
  root.querySelector('a')?.focus();
  const started = startApp(root);
  await waitFor(() => expect(calls).toHaveLength(1));
  expect([calls[0]?.call, root.isConnected]).toEqual(['GET /api/blogs?tag=a', true]);
  expect(window.hopStarted).toBeUndefined();
  await act(async () => {
    answer([]);
    await started;
  });
  expect([root.isConnected, window.hopStarted]).toEqual([false, true]);
  expect(document.getElementById('root')?.textContent).toContain('No posts with this tag');
  expect(document.activeElement?.getAttribute('href')).toBe('/terms');
  expect(register).toHaveBeenCalledExactlyOnceWith('/sw.js');
});

it.each([
  ['posts', '/blogs', 10_000],
  ['data of a member', '/dashboard', 1_000],
] as const)('a page waits for its %s, but not for ever', async (_, page, ms) => {
  const isMember = page === '/dashboard';
  if (isMember) signInAsMember();
  await load(page);
  vi.useFakeTimers();
  serveRoutes({});
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  window.hopResponses = {};
  const root = serve(page, '<p>built</p>', isMember);
  void startApp(root);
  await act(() => vi.advanceTimersByTimeAsync(ms - 1));
  expect(root.isConnected).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(root.isConnected).toBe(false);
  // The skeletons of the built page do not vanish in between.
  expect(document.querySelector('main [aria-live][aria-busy]')?.className).toContain('opacity-100');
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(window.hopResponses).toBeUndefined();
  const { container } = render(<Loading>{null}</Loading>);
  expect(container.firstElementChild?.className).toContain('opacity-0');
});

it.each([
  ['/blogs?tag=a', ['/api/blogs?tag=a']],
  ['/blog/hello', ['/api/blog/hello']],
  ['/dashboard?q=a', ['/api/me', '/api/my-urls?q=a', '/api/subscription', '/api/views']],
  ['/analytics/caf%C3%A9?range=7d', ['/api/analytics/caf%C3%A9?range=7d', '/api/me']],
])('the data of %s is loaded for its filters', async (address, expected) => {
  signInAsMember({ email: address });
  const calls = serveRoutes({});
  window.history.replaceState(null, '', address);
  const { pathname } = window.location;
  const page = pageOf(pathname);
  void (page && screenOf(page).prefetch?.(pathname));
  await waitFor(() =>
    expect(calls.map(({ call }) => call.replace(/^GET |\?t=.*/g, '')).toSorted()).toEqual(expected),
  );
});

it.each([
  ['whose history holds a result', false],
  ['of a member', true],
])('a page %s is replaced, because it may differ', async (_, isMember) => {
  await load('/terms');
  serveRoutes({});
  if (isMember) signInAsMember();
  else window.history.replaceState({ usr: { result: {} } }, '');
  const root = serve('/terms', '<p>built</p>', isMember);
  await act(() => startApp(root));
  expect(root.isConnected).toBe(false);
});

it.each([
  ['a member', 'visitors', true],
  ['a visitor', 'members', false],
])('%s never sees the page of %s', async (_reader, _page, isMember) => {
  await load('/terms');
  serveRoutes({});
  if (isMember) signInAsMember();
  const root = serve('/terms', '<p>built</p>', !isMember);
  const started = startApp(root);
  expect([root.textContent, window.hopStarted]).toEqual(['', true]);
  // Style sheets hide the root of members from visitors.
  expect(root.hasAttribute('data-members')).toBe(false);
  await act(() => started);
  expect(root.querySelector('h1')?.textContent).toBe('Terms');
});
