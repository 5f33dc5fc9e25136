import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { TimesCard } from './times-card.tsx';

afterEach(cleanup);

describe('TimesCard', () => {
  it.each([
    [1, 'The last day by weekday and hour', 'No clicks in the last day'],
    [7, 'The last 7 days by weekday and hour', 'No clicks in the last 7 days'],
    [90, 'The last 14 days by weekday and hour', 'No clicks in the last 14 days'],
    [null, 'The last 14 days by weekday and hour', 'No clicks in the last 14 days'],
  ])('says which days of a range of %s it covers', (days, hint, none) => {
    const { container } = render(
      <TimesCard clicksByHour={{}} days={days} onClear={() => undefined} />,
    );
    expect(container.textContent).toContain(hint);
    expect(container.textContent).toContain(none);
  });

  it('names the busiest hour, and how many others have as many clicks', () => {
    const clicksByHour = { 0: 1, [5 * HOUR_MS]: 1, [DAY_MS]: 1 };
    const card = (counts: Record<number, number>) => (
      <TimesCard clicksByHour={counts} days={14} onClear={() => undefined} />
    );
    const { container, rerender } = render(card(clicksByHour));
    expect(container.textContent).toMatch(
      /Busiest: \w+day, \d\d:\d\d and 2 other hours, 1 click each/,
    );
    rerender(card({ ...clicksByHour, 0: 4 }));
    expect(container.textContent).toMatch(/Busiest: \w+day, \d\d:\d\d, 4 clicks/);
  });
});
