import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NEW_DRAFT, withTitle } from './post-draft.ts';
import { usePostDraft } from './use-post-draft.ts';

const KEY = 'hop:post:u:new';
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('usePostDraft', () => {
  it('stores a changed draft and restores it in the next form', () => {
    const first = renderHook(() => usePostDraft(KEY, null));
    expect(first.result.current).toMatchObject({
      changed: false,
      restored: false,
      draft: NEW_DRAFT,
    });
    act(() => first.result.current.set(withTitle(NEW_DRAFT, 'Half a post')));
    expect(first.result.current.changed).toBe(true);
    first.unmount();

    const second = renderHook(() => usePostDraft(KEY, null));
    expect(second.result.current).toMatchObject({
      changed: true,
      restored: true,
      draft: { title: 'Half a post' },
    });
    act(() => second.result.current.discard());
    expect(second.result.current).toMatchObject({
      changed: false,
      restored: false,
      draft: NEW_DRAFT,
    });
    expect(sessionStorage).toHaveLength(0);
  });

  it('stores nothing that equals the saved post', () => {
    const details = { excerpt: '', author: '', tags: [] };
    const saved = { title: 'T', slug: 't', content: 'c', ...details, published: true };
    const { result } = renderHook(() => usePostDraft(KEY, saved));
    act(() => result.current.set({ ...result.current.draft, content: 'd' }));
    expect(sessionStorage).toHaveLength(1);
    act(() => result.current.set({ ...result.current.draft, content: 'c' }));
    expect(sessionStorage).toHaveLength(0);
    sessionStorage.setItem(KEY, JSON.stringify(NEW_DRAFT));
    expect(renderHook(() => usePostDraft(KEY, null)).result.current.restored).toBe(false);
  });

  it('keeps the draft in the form where storage is full or blocked', () => {
    const refuse = (): never => {
      throw new DOMException('Full.', 'QuotaExceededError');
    };
    vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    const { result } = renderHook(() => usePostDraft(KEY, null));
    act(() => result.current.set(withTitle(NEW_DRAFT, 'Half a post')));
    expect(result.current).toMatchObject({ changed: true, draft: { title: 'Half a post' } });
    act(() => result.current.discard());
    expect(result.current.changed).toBe(false);
    vi.unstubAllGlobals();
  });
});
