import { describe, expect, it } from 'vitest';
import { resultFromHistory, toHistoryState } from './kept-result.ts';

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
    { result: { code: 'abc' }, userId: '' },
  ])('returns null for %j', (state) => {
    expect(resultFromHistory(state, '')).toBeNull();
  });
});
