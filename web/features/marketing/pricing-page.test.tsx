import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it } from 'vitest';
import { FEATURES } from '#contract/plans/plan-features.ts';
import { PLAN_TABLE } from '#contract/plans/plan-table.ts';
import { DEFAULT_PRICE } from '#contract/plans/prices.ts';
import { config } from '#web/shared/page/config.ts';
import { upgradeOffer } from '#web/shared/plans/plans.ts';
import { choosePrice } from '#web/shared/plans/price.ts';
import { PricingPage } from './pricing-page.tsx';

afterEach(() => {
  cleanup();
  config.prices = [DEFAULT_PRICE];
  config.billing = 'none';
  choosePrice({ price: DEFAULT_PRICE, period: 'month' });
  localStorage.clear();
});

const show = (plan: 'free' | null = null) =>
  render(<PricingPage plan={plan} onUpgrade={() => undefined} />, { wrapper: MemoryRouter });

describe('PricingPage', () => {
  it('describes both kinds of analytics with the same words everywhere', () => {
    show();
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

  it('lists what each plan includes, and gives three buyers a picture each', () => {
    show('free');
    const [free, premium] = screen
      .getAllByRole('list')
      .filter((list) => within(list).queryByText(/URLs per month/));
    for (const { name } of [FEATURES.aliases, FEATURES.endDates, FEATURES.qrCodes])
      expect(free?.textContent).toContain(name);
    expect(premium?.textContent).toContain(FEATURES.bulk.detail);
    for (const reason of [
      /^Paste a list and get up to 100 links at once,/,
      /Share up to 20 reports by secret addresses,/,
      /^600 requests a minute for each key, 1,000 links in one of them, and 10 webhooks/,
    ])
      expect(screen.getByText(reason)).toBeTruthy();
    const figures = screen.getAllByRole('figure');
    const bars = [...(figures[1]?.querySelectorAll<HTMLElement>('li [style]') ?? [])];
    expect(bars.map(({ style }) => Number.parseInt(style.width, 10))).toEqual([100, 61, 44, 27]);
    for (const part of [
      '948 +17% on the 30 days before',
      'Berlin 131 clicks',
      'Most clicks at 19:00',
    ])
      expect(figures[1]?.textContent).toContain(part);
    expect(figures.map((figure) => figure.getAttribute('aria-label'))).toEqual([
      'Example of a designed QR code',
      'Example of advanced analytics',
      'Example of a request to the API',
    ]);
  });

  it('compares everything that the plans include, and promises only custom domains', () => {
    show();
    const table = screen.getByRole('table');
    const text = (name: RegExp): (string | null)[] =>
      within(within(table).getByRole('row', { name }))
        .getAllByRole('cell')
        .map((cell) => cell.textContent);
    expect(text(/^URLs per month/)).toEqual(['25', '1,000 (40x)']);
    expect(text(/^Import/)[1]).toContain('10,000');
    expect(text(/^API keys/)).toEqual(['20', '20']);
    expect(text(/^Webhooks/)).toEqual(['2', '10']);
    expect(text(/^Tags/)).toEqual(['100', '100']);
    expect(text(/^Custom domains/)).toEqual(['Not included', 'Coming soon']);
    expect(screen.getAllByText('Coming soon')).toHaveLength(1);
    const domain = within(table).getByRole('combobox', { name: 'Domain' });
    expect(within(domain).getAllByRole('option')).toHaveLength(1);
    const rows = PLAN_TABLE.flatMap((group) => group.rows);
    const names = within(table)
      .getAllByRole('rowheader')
      .filter((header) => header.getAttribute('scope') === 'row')
      .map((header) => header.textContent);
    for (const answer of [
      /^No\. Anyone can shorten up to 50 links a day\./,
      /below the Free plan’s limit of 25 a month\.$/,
      /may send 60 requests a minute on Free, and 600 on Premium\./,
      /Free includes 2 webhooks with 1,000 deliveries a day, Premium 10 with 20,000\.$/,
    ])
      expect(screen.getByText(answer).closest('details')?.getAttribute('name')).toBe('faq');
    // Priority support needs a support address.
    expect(names).toHaveLength(rows.length - 1);
  });

  it('shows how many domains each plan includes where the deployment offers them', () => {
    config.ownDomains = true;
    show();
    const row = within(screen.getByRole('table')).getByRole('row', { name: /^Custom domains/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['1', '10']);
    expect(screen.queryByText('Coming soon')).toBeNull();
    expect(screen.getByText(/^Yes, on every plan: 1 domain on Free, 10 on Premium/)).toBeTruthy();
    config.ownDomains = false;
  });

  it('shows ₹500 a month and no choice where nothing else is priced', () => {
    show();
    expect(screen.getByText('₹500')).toBeTruthy();
    expect(screen.getByText('Billed monthly, cancel anytime')).toBeTruthy();
    expect(screen.getByText('Free forever, no card required')).toBeTruthy();
    expect(screen.queryByRole('radio')).toBeNull();
    for (const name of ['Sign up for free', 'Sign up to upgrade'])
      expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('/auth?tab=sign-up');
  });

  it('shows the currency and the period that were chosen, also at the next visit', () => {
    const dollars = {
      currency: 'USD',
      free: '$0',
      month: '$6',
      year: '$60',
      saving: '16%',
    } as const;
    const rupees = { ...DEFAULT_PRICE, year: '₹5,000', saving: '16%' };
    config.prices = [rupees, dollars];
    choosePrice({ price: rupees, period: 'month' });
    const { unmount } = show();
    expect(screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual([
      'Monthly',
      'Yearly −16%',
      '₹',
      '$',
    ]);
    fireEvent.click(screen.getByRole('radio', { name: 'US dollars' }));
    expect(screen.getByText('$6')).toBeTruthy();
    expect(screen.getByText('$0')).toBeTruthy();
    expect(upgradeOffer()).toContain('at $6/month');
    fireEvent.click(screen.getByRole('radio', { name: /^Yearly/ }));
    expect(screen.getByText('$60')).toBeTruthy();
    expect(screen.getByText('per year')).toBeTruthy();
    expect(screen.getByText('per month')).toBeTruthy();
    expect(screen.getByText(/^Billed yearly/).textContent).toContain('16% less than by month');
    expect(screen.getByText(/per month, billed monthly/).textContent).toContain(
      'Premium is $6 per month, billed monthly, or $60 per year, cancel anytime.',
    );
    unmount();
    show();
    expect(screen.getByText('$60')).toBeTruthy();
    expect(localStorage.getItem('hop-price')).toBe('USD year');
  });

  it('a demo is mentioned at the upgrade only', () => {
    config.billing = 'demo';
    const { container } = show();
    expect(container.textContent).not.toMatch(/demo|payment provider/i);
  });
});
