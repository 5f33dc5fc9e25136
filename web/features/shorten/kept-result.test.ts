import { describe, expect, it, vi } from 'vitest';
import { resultFromHistory, toHistoryState } from './kept-result.ts';
import { forgetTypedLink, readTypedLink, saveTypedLink } from './typed-link.ts';

const LINK = {
  code: 'abc',
  shortUrl: 'https://hop.example/abc',
  longUrl: 'https://example.com/',
  created_at: '2026-11-22T00:00:00.000Z',
};

describe('resultFromHistory', () => {
  it('returns the result without its claim token', () => {
    const state = toHistoryState({ ...LINK, claimToken: 'secret' }, '');
    expect(JSON.stringify(state)).not.toContain('secret');
    expect(resultFromHistory(state, '')).toEqual(LINK);
    expect(resultFromHistory(state, 'a member')).toEqual(LINK);
  });

  it('returns the result of a member to nobody else', () => {
    const state = toHistoryState(LINK, 'ann');
    expect(resultFromHistory(state, 'ann')).toEqual(LINK);
    expect(resultFromHistory(state, 'bob')).toBeNull();
    expect(resultFromHistory(state, '')).toBeNull();
  });

  it.each([
    null,
    undefined,
    'text',
    {},
    { newLink: true },
    { result: null, userId: '' },
    ...Object.keys(LINK).map((name) => ({ result: { ...LINK, [name]: 7 }, userId: '' })),
  ])('returns null for %j', (state) => {
    expect(resultFromHistory(state, '')).toBeNull();
  });
});

describe('readTypedLink', () => {
  it.each(['nonsense', 'null', '{"text":"a"}', '{"text":7,"until":9}', '{"text":"a","until":"9"}'])(
    'returns no link for the stored text %s',
    (text) => {
      localStorage.setItem('hop-typed-link', text);
      expect(readTypedLink(1)).toBe('');
    },
  );

  it('returns no link where storage is blocked', () => {
    const blocked = (): never => {
      throw new DOMException('Denied.', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
    saveTypedLink('example.com', 1);
    forgetTypedLink();
    expect(readTypedLink(1)).toBe('');
    vi.unstubAllGlobals();
  });
});
