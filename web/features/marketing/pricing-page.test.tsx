import { cleanup, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it } from 'vitest';
import { FEATURES } from '#contract/plan-features.ts';
import { PricingPage } from './pricing-page.tsx';

afterEach(cleanup);

describe('PricingPage', () => {
  it('describes both kinds of analytics with the same words everywhere', () => {
    render(<PricingPage plan={null} onUpgrade={() => undefined} />, { wrapper: MemoryRouter });
    const question = screen
      .getByText('What do basic and advanced analytics include?')
      .closest('details');
    for (const { name, detail } of [FEATURES.basicAnalytics, FEATURES.advancedAnalytics]) {
      // The detail appears in the plan's offer and in the comparison.
      expect(screen.getAllByText(detail).length).toBe(2);
      expect(question?.textContent.toLowerCase()).toContain(detail.toLowerCase());
      const row = within(screen.getByRole('table')).getByRole('row', { name: new RegExp(name) });
      expect(
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      ).toEqual([name === 'Basic analytics' ? 'Included' : 'Not included', 'Included']);
    }
  });

  it('lists what each plan includes, and labels the analytics picture as an example', () => {
    render(<PricingPage plan="free" onUpgrade={() => undefined} />, { wrapper: MemoryRouter });
    const [free, premium] = screen
      .getAllByRole('list')
      .filter((list) => within(list).queryByText(/URLs per month/));
    for (const { name } of [FEATURES.aliases, FEATURES.endDates, FEATURES.qrCodes])
      expect(free?.textContent).toContain(name);
    expect(premium?.textContent).toContain(FEATURES.bulk.detail);
    expect(
      within(screen.getByRole('figure', { name: 'Example of advanced analytics' })).getByText(
        'Example',
      ),
    ).toBeTruthy();
  });
});
