import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { listControls } from '#web/testing/list-controls.ts';
import type { SettingChanges } from './link-settings.ts';
import { SettingFields } from './setting-fields.tsx';
import { StatusField } from './status-field.tsx';

afterEach(cleanup);

const SETTINGS: SettingChanges = {
  expiresAt: new Date(2026, 10, 20, 12).getTime(),
  fallbackUrl: 'https://b.example/',
  redirectStatus: 301,
  clickLimit: 5,
  clickLimitOpen: true,
  forwardParams: ['ref'],
  rules: [{ if: { country: ['BR'] }, to: 'a.example' }],
  variants: [{ url: 'b.example', weight: 20 }],
  password: true,
  watch: 'on',
  title: 'Sale',
  note: 'For Ann',
};

it.each([
  [
    'above tags',
    [
      'End date (optional): 2026-11-20T12:00, datetime-local, ' +
        '“Wrong expiresAt.…”, “After this time…”',
      'Title (optional): Sale, maxlength=120, “Wrong title.…”, “Only you see…”',
    ],
  ],
  ['below tags', ['Note (optional): For Ann, maxlength=2000, “Wrong note.…”']],
  [
    'times',
    [
      'Start date (optional):, datetime-local, “Wrong startsAt.…”, “Until then the…”',
      'Fallback (optional): https://b.example/, verbatim, inputmode=url, dir=ltr, ' +
        '“Wrong fallbackUrl.…”, “Where the link…”',
    ],
  ],
  [
    'redirect',
    [
      'Redirect status: 301 Moved permanently, ' +
        '“Wrong redirectStatus.…”, “Search engines treat…”',
      'Forward query parameters: Only those I list, “Up to 10…”',
      'Names of parameters: ref, verbatim, “Wrong forwardParams.…”',
      '[ ] Suggest this link when its code is misspelled, “A code that…”',
    ],
  ],
  [
    'access',
    [
      'Click limit (optional): 5, number, inputmode=numeric, min=1, max=1000000, ' +
        '“Wrong clickLimit.…”, “The link redirects…”',
      '[x] Redirect even when clicks can’t be counted, “Wrong clickLimitOpen.…”, ' +
        '“Otherwise visitors are…”',
    ],
  ],
  [
    'destinations',
    [
      'Country: BR, verbatim, “Wrong rules.0.if.country.…”, “Brazil.…”',
      'Leads to: a.example, verbatim, inputmode=url, dir=ltr, “Wrong rules.0.to.…”',
      'Destination of variant 1: b.example, verbatim, inputmode=url, dir=ltr, ' +
        '“Wrong variants.0.url.…”',
      'Share of variant 1 in percent: 20, verbatim, inputmode=numeric, maxlength=2, ' +
        '“Wrong variants.0.weight.…”',
    ],
  ],
  [
    'checks',
    [
      'Destination checks: On, “Wrong watch.…”, “Daily while people…”',
      'While the destination is unreachable: Keep redirecting there, ' +
        '“Wrong watchFallback.…”, “For destinations that…”',
    ],
  ],
] as const)('settings %s have their values, limits and errors', async (place, controls) => {
  render(
    <SettingFields
      place={place}
      settings={SETTINGS}
      onSetting={() => undefined}
      errorAt={(path) => (path === 'suggestOnTypo' ? undefined : `Wrong ${path}.`)}
    />,
  );
  await waitFor(() => expect(listControls()).toEqual(controls));
});

it('an error about all rules or variants is below their list', async () => {
  render(
    <SettingFields
      place="destinations"
      settings={{}}
      onSetting={() => undefined}
      errorAt={(path) => `Wrong ${path}.`}
    />,
  );
  await screen.findByText('Wrong rules.');
  await screen.findByText('Wrong variants.');
});

it('the fields of a new link have the values that it would have', async () => {
  const places = ['redirect', 'checks', 'below tags'] as const;
  const fields = places.map((place) => (
    <SettingFields key={place} place={place} settings={{}} onSetting={() => undefined} />
  ));
  render(<>{fields}</>);
  await waitFor(() =>
    expect(listControls().map((line) => line.split(',')[0])).toEqual([
      'Redirect status: 302 Found',
      'Forward query parameters: None',
      '[ ] Suggest this link when its code is misspelled',
      'Destination checks: Off',
      'While the destination is unreachable: Keep redirecting there',
      'Note (optional):',
    ]),
  );
  // A note may have several lines.
  expect(document.querySelectorAll('textarea')).toHaveLength(1);
});

it.each([
  [
    301,
    /^Search engines treat the destination as the new address\. .* later clicks are not counted/,
  ],
  [302, /^Every click reaches us, so all of them are counted and a change works at once\.$/],
  [307, /^Every click reaches us/],
  [308, /^Search engines treat/],
] as const)('the redirect status %i says what it means for counting', (status, hint) => {
  const chosen: number[] = [];
  render(<StatusField status={status} error={undefined} onStatus={(one) => chosen.push(one)} />);
  const field = screen.getByRole<HTMLSelectElement>('combobox', { description: hint });
  expect(field.value).toBe(String(status));
  expect([...field.options].map(({ text }) => text).toSorted()).toEqual([
    '301 Moved permanently',
    '302 Found',
    '307 Temporary redirect',
    '308 Permanent redirect',
  ]);
  fireEvent.change(field, { target: { value: '307' } });
  expect(chosen).toEqual([307]);
});
