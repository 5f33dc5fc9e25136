import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useChangeTag, useLinks, useShortenMany, useUpdateLink } from './queries.ts';
import { useActions } from './use-actions.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const nothing = (): void => undefined;

/** A change of links: its hook, called with what to do when it is done, and its input. */
const CHANGES: [name: string, use: () => () => void][] = [
  [
    'deleting a link',
    () => {
      const { run } = useActions(nothing);
      return () => run({ ids: [1], action: 'delete' });
    },
  ],
  [
    'editing a link',
    () => {
      const { mutate } = useUpdateLink(nothing);
      return () => mutate({ code: 'gone', change: { archived: true } });
    },
  ],
  [
    'shortening many links',
    () => {
      const { mutate } = useShortenMany(nothing);
      return () => mutate(['https://example.com']);
    },
  ],
  [
    'deleting a tag',
    () => {
      const { mutate } = useChangeTag();
      return () => mutate({ id: 1, isDeleted: true });
    },
  ],
];

describe('the list of links', () => {
  it.each(CHANGES)('the list shows the state after %s while it first loads', async (_, use) => {
    let codes = ['gone', 'kept'];
    const answers: (() => void)[] = [];
    const fetchMock = vi.fn<typeof fetch>((url) => {
      if (typeof url !== 'string' || !url.startsWith('/api/my-urls')) {
        codes = ['kept'];
        return Promise.resolve(Response.json({ lines: [] }));
      }
      const page = { urls: codes, nextCursor: null };
      return new Promise((resolve) => answers.push(() => resolve(Response.json(page))));
    });
    vi.stubGlobal('fetch', fetchMock);
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const wrapper = ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    );
    const { result } = renderHook(() => ({ list: useLinks('tag=Fair'), change: use() }), {
      wrapper,
    });
    result.current.change();
    await waitFor(() => expect(answers).toHaveLength(2));
    for (const answer of answers) answer();
    await waitFor(() => expect(result.current.list.isSuccess).toBe(true));
    expect(result.current.list.data?.pages.flatMap(({ urls }) => urls)).toEqual(['kept']);
  });
});
