import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serve } from '#web/testing/fake-server.ts';
import { makeLinks } from '#web/testing/make-link.ts';
import { useActivity } from './use-activity.ts';
import { useChangeTag, useHistory, useLinks, useUpdateLink } from './queries.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Runs a hook with a query cache. `reloaded` has the keys below which queries were reloaded. */
function run<T>(hook: () => T) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const reloaded: (QueryKey | undefined)[] = [];
  const invalidate = client.invalidateQueries.bind(client);
  client.invalidateQueries = (filters, options) => {
    reloaded.push(filters?.queryKey);
    return invalidate(filters, options);
  };
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client }, children);
  return { client, reloaded, ...renderHook(hook, { wrapper }) };
}
describe('useUpdateLink', () => {
  it.each([
    [{ tags: ['x'] }, [['tags'], ['my-urls']]],
    [{ title: 'x' }, [['my-urls']]],
  ])('%o reloads what it changes before it is done', async (change, keys) => {
    serve(() => ({}));
    const reloadedWhenDone: (QueryKey | undefined)[] = [];
    const onDone = vi.fn(() => void reloadedWhenDone.push(...reloaded));
    const { result, reloaded } = run(() => useUpdateLink(onDone));
    act(() => result.current.mutate({ code: 'a', change }));
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(reloadedWhenDone).toEqual(keys);
  });
});

describe('queries of links', () => {
  it('a changed tag reloads tags and links', async () => {
    const requests = serve(() => ({}));
    const { result, reloaded } = run(() => useChangeTag());
    act(() => result.current.mutate({ id: 7, color: 'red' }));
    await waitFor(() => expect(reloaded).toEqual([['tags'], ['my-urls']]));
    expect(requests).toEqual(['PATCH /api/tags/7 {"color":"red"}']);
  });

  it('each list of links is cached for itself, and shown until the next has loaded', async () => {
    serve(({ query }) =>
      query.get('q') === 'b' ? new Promise(() => undefined) : { urls: [], nextCursor: null },
    );
    let search = 'q=a';
    const { result, rerender, client } = run(() => useLinks(search));
    await waitFor(() => expect(result.current.isSuccess).toBe(true));
    search = 'q=b';
    rerender();
    expect([result.current.isPlaceholderData, result.current.data?.pages.length]).toEqual([
      true,
      1,
    ]);
    expect(client.getQueryData(['my-urls', 'q=a'])).toBeDefined();
    expect(client.getQueryData(['my-urls', 'q=b'])).toBeUndefined();
  });

  it('asks for the clicks of a page of links at a time', async () => {
    const requests = serve(() => ({ links: [] }));
    run(() => useActivity(makeLinks(51)));
    await waitFor(() => expect(requests).toHaveLength(2));
    const [first, second] = requests.map((text) => text.split('=')[1]?.split(','));
    expect([first?.length, second]).toEqual([50, ['51']]);
  });

  it('the history of a link is outdated with the list', async () => {
    const requests = serve(() => ({ changes: [] }));
    const { result, client } = run(() => useHistory('a/b'));
    await waitFor(() => expect(result.current.isSuccess).toBe(true));
    await act(() => client.invalidateQueries({ queryKey: ['my-urls'] }));
    expect(requests).toEqual(Array(2).fill('GET /api/links/a%2Fb/history'));
  });
});
