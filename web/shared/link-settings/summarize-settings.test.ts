import { describe, expect, it } from 'vitest';
import type { SettingName } from '#contract/links/link-settings.ts';
import type { LinkRule } from '#contract/links/rule-conditions.ts';
import { ARCHIVED_COPY } from '#contract/links/watch.ts';
import type { SettingChanges } from './link-settings.ts';
import { summarizeSetting, summarizeSettings } from './summarize-settings.ts';

const RULE: LinkRule = { if: { country: ['BR'] }, to: 'https://br.example/' };

describe('what a folded group says', () => {
  it('names a setting by its label if it has no other text', () => {
    expect(summarizeSetting('favorite', { favorite: true })).toBe('Favorite');
    expect(summarizeSetting('favorite', { favorite: false })).toBe('Favorite: no');
    expect(summarizeSetting('title', { title: 'Sale' })).toBe('Title: Sale');
  });

  it.each<[SettingName, SettingChanges, string]>([
    ['rules', { rules: [RULE, RULE] }, '2 rules'],
    ['startsAt', { startsAt: new Date(2027, 0, 5, 12).getTime() }, 'From Jan 5, 2027, 12:00 PM'],
    ['forwardParams', { forwardParams: 'all' }, 'Forwards all parameters'],
    ['forwardParams', { forwardParams: ['ref', 'gclid'] }, 'Forwards ref, gclid'],
    ['forwardParams', { forwardParams: [] }, 'Forwards none'],
    ['suggestOnTypo', { suggestOnTypo: true }, 'Suggested when misspelled'],
    ['fallbackUrl', { fallbackUrl: 'b.example' }, 'Fallback b.example'],
    ['variants', { variants: [{ url: 'b.example', weight: 5 }] }, '1 variant'],
    ['redirectStatus', { redirectStatus: 308 }, 'Status 308'],
    ['watch', { watch: 'on' }, 'On'],
    ['watch', { watch: 'always' }, 'On, also for one-time addresses'],
    ['watchFallback', { watchFallback: ARCHIVED_COPY }, 'Archived copy while unreachable'],
    ['watchFallback', { watchFallback: 'b.example' }, 'b.example while unreachable'],
  ])('says of %s %o “%s”', (name, settings, text) => {
    expect(summarizeSetting(name, settings).replace('\u202f', ' ')).toBe(text);
  });

  it('leaves out what is not set, and what only a click limit needs', () => {
    const settings = { clickLimit: 3, clickLimitOpen: true, redirectStatus: 302 as const };
    expect(summarizeSettings(['redirectStatus', 'clickLimit', 'clickLimitOpen'], settings)).toBe(
      '3 clicks',
    );
  });
});
