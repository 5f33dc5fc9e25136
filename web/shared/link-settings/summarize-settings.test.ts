import { describe, expect, it } from 'vitest';
import { summarizeSetting, summarizeSettings } from './summarize-settings.ts';

describe('what a folded group says', () => {
  it('names a setting by its label if it has no other text', () => {
    expect(summarizeSetting('favorite', { favorite: true })).toBe('Favorite');
    expect(summarizeSetting('favorite', { favorite: false })).toBe('Favorite: no');
    expect(summarizeSetting('title', { title: 'Sale' })).toBe('Title: Sale');
  });

  it('leaves out what is not set, and what only a click limit needs', () => {
    const settings = { clickLimit: 3, clickLimitOpen: true, redirectStatus: 302 as const };
    expect(summarizeSettings(['redirectStatus', 'clickLimit', 'clickLimitOpen'], settings)).toBe(
      '3 clicks',
    );
  });
});
