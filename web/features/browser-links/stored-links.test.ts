import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import {
  addBrowserLink,
  applyClaimLines,
  claimableLinks,
  postponeClaim,
  readBrowserLinks,
  removeBrowserLinks,
  useBrowserLinks,
} from './stored-links.ts';

const NOW = Date.UTC(2026, 10, 22);
const make = (code: string, claimToken = `token of ${code}`) => ({
  code,
  shortUrl: `https://hop.example/${code}`,
  longUrl: `https://example.com/${code}`,
  created_at: new Date(NOW).toISOString(),
  claimToken,
});
const STORED = { code: 'a', longUrl: '', createdAt: '', claimToken: '' };
const codes = (): string[] => readBrowserLinks().links.map(({ code }) => code);

beforeEach(() => localStorage.clear());

describe('the list of links made in this browser', () => {
  it('the list keeps the newest 20, newest first, each once', () => {
    for (let i = 0; i < 21; i++) addBrowserLink(make(`c${i}`));
    expect(codes()).toEqual(Array.from({ length: 20 }, (_, i) => `c${20 - i}`));
    addBrowserLink(make('c5'));
    expect(codes().slice(0, 2)).toEqual(['c5', 'c20']);
    expect([codes().length, new Set(codes()).size]).toEqual([20, 20]);
  });

  it('the stored list has no link of a member', () => {
    const { claimToken: _, ...link } = make('mine');
    addBrowserLink(link);
    expect(codes()).toEqual([]);
  });

  it('loses single links, or all of them and their storage', () => {
    for (const code of ['a', 'b', 'c']) addBrowserLink(make(code));
    removeBrowserLinks([{ code: 'b' }]);
    expect(codes()).toEqual(['c', 'a']);
    removeBrowserLinks(readBrowserLinks().links);
    expect(codes()).toEqual([]);
    expect(localStorage).toHaveLength(0);
  });

  it('the list lasts as long as the page where storage is full or blocked', async () => {
    vi.resetModules();
    const { addBrowserLink: add, readBrowserLinks: read } = await import('./stored-links.ts');
    const full = (): never => {
      throw new DOMException('Full.', 'QuotaExceededError');
    };
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: full });
    add(make('a'));
    expect(read().links.map(({ code }) => code)).toEqual(['a']);
    vi.unstubAllGlobals();
  });

  it('the list is the same object until something changes, in this tab or another', () => {
    addBrowserLink(make('a'));
    const before = readBrowserLinks();
    expect(readBrowserLinks()).toBe(before);
    localStorage.setItem('hop-links', JSON.stringify({ links: [], askAfter: 0 }));
    expect(codes()).toEqual([]);
  });

  it('the list has at most 20 stored links, and only a number as the time to ask', () => {
    const links = Array.from({ length: 21 }, (_, at) => ({ ...STORED, code: `c${at}` }));
    localStorage.setItem('hop-links', JSON.stringify({ links, askAfter: 'x' }));
    expect([codes().length, readBrowserLinks().askAfter]).toEqual([20, 0]);
  });

  it.each([
    '',
    'nonsense',
    'null',
    '[]',
    '{"links":7}',
    '{"links":[null,7,{"code":"x"}]}',
    ...Object.keys(STORED).map((name) => JSON.stringify({ links: [{ ...STORED, [name]: 7 }] })),
    JSON.stringify({ links: [{ ...STORED, code: 'a b' }] }),
  ])('the list is empty for the stored text %j', (text) => {
    localStorage.setItem('hop-links', text);
    expect(codes()).toEqual([]);
  });
});

describe('links that can be claimed', () => {
  it('links that can be claimed have a token and are less than 30 days old', () => {
    addBrowserLink(make('a'));
    const { links } = readBrowserLinks();
    expect(claimableLinks(links, NOW + 30 * DAY_MS - 1)).toHaveLength(1);
    expect(claimableLinks(links, NOW + 30 * DAY_MS)).toHaveLength(0);
  });

  it('claimed links leave the list, rejected ones lose their token, others stay', () => {
    for (const code of ['claimed', 'later', 'never']) addBrowserLink(make(code));
    applyClaimLines([
      { ok: true, code: 'claimed' },
      { ok: false, code: 'later', reason: 'quota_reached', error: '' },
      { ok: false, code: 'never', reason: 'not_claimable', error: '' },
    ]);
    expect(codes()).toEqual(['never', 'later']);
    expect(claimableLinks(readBrowserLinks().links, NOW).map(({ code }) => code)).toEqual([
      'later',
    ]);
  });

  it('claiming is not offered for a week after "Not now", unless a link is made', () => {
    addBrowserLink(make('a'));
    postponeClaim(NOW);
    expect(readBrowserLinks().askAfter).toBe(NOW + 7 * DAY_MS);
    addBrowserLink(make('b'));
    expect(readBrowserLinks().askAfter).toBe(0);
    postponeClaim(NOW);
    removeBrowserLinks([{ code: 'b' }]);
    applyClaimLines([{ ok: false, code: 'a', reason: 'not_claimable', error: '' }]);
    expect(readBrowserLinks().askAfter).toBe(NOW + 7 * DAY_MS);
  });
});

describe('followers of the list', () => {
  const change = (key: string | null) => {
    localStorage.clear();
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
  };

  it.each(['hop-links', null])('the list follows another tab that changes %s', (key) => {
    addBrowserLink(make('a'));
    const { result, unmount } = renderHook(() => useBrowserLinks().links.length);
    expect(result.current).toBe(1);
    change(key);
    expect(result.current).toBe(0);
    unmount();
  });

  it('the list has no follower once the page has gone', () => {
    const remove = vi.spyOn(window, 'removeEventListener');
    renderHook(() => useBrowserLinks()).unmount();
    expect(remove).toHaveBeenCalledWith('storage', expect.any(Function));
    vi.restoreAllMocks();
  });
});

describe('blocked storage', () => {
  it('the list lasts as long as the page if storage is blocked', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    addBrowserLink(make('a'));
    expect(codes()).toEqual(['a']);
    vi.restoreAllMocks();
  });
});
