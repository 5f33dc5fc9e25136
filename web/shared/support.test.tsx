import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ErrorPage } from '#web/app/error-page.tsx';
import { Footer } from '#web/app/footer.tsx';
import { NotFoundPage } from '#web/app/not-found-page.tsx';
import { PricingPage } from '#web/features/marketing/pricing-page.tsx';
import { PrivacyPage } from '#web/features/marketing/privacy-page.tsx';
import { TermsPage } from '#web/features/marketing/terms-page.tsx';
import { UpgradeDialog } from '#web/features/plans/upgrade-dialog.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { config } from './config.ts';
import { startSession } from './session.ts';
import { SupportLine } from './support.tsx';
import { useMe } from './use-me.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
  config.supportEmail = '';
});

const show = (page: ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>{page}</MemoryRouter>
    </QueryClientProvider>,
  ).container;

const PLACES: readonly [string, ReactNode][] = [
  ['the footer', <Footer key="footer" />],
  ['Pricing', <PricingPage key="pricing" plan={null} onUpgrade={() => undefined} />],
  ['Terms', <TermsPage key="terms" />],
  ['Privacy', <PrivacyPage key="privacy" />],
  ['the upgrade dialog', <UpgradeDialog key="dialog" open onClose={() => undefined} />],
  ['the page for errors', <ErrorPage key="error" title="Error" message="" onRetry={() => undefined} />],
  ['the page for unknown addresses', <NotFoundPage key="unknown" />],
];

describe('the support address', () => {
  it.each(PLACES)('is a link in %s', (_, page) => {
    config.supportEmail = 'help@hop.example';
    const links = show(page).querySelectorAll('a[href="mailto:help@hop.example"]');
    expect(links.length).toBeGreaterThan(0);
  });

  it.each(PLACES)('is not mentioned in %s if there is none', (_, page) => {
    const container = show(page);
    expect(container.textContent).not.toMatch(/support/i);
    expect(container.querySelector('a[href^="mailto:"]')).toBeNull();
  });

  it.each([
    ['Pricing', <PricingPage key="pricing" plan={null} onUpgrade={() => undefined} />],
    ['the upgrade dialog', <UpgradeDialog key="dialog" open onClose={() => undefined} />],
  ])('brings priority support to %s', (_, page) => {
    config.supportEmail = 'help@hop.example';
    expect(show(page).textContent).toContain('We answer your mail first.');
  });

  it('marks the mail of a Premium member', async () => {
    config.supportEmail = 'help@hop.example';
    const me = { id: 'id of premium@example.com', email: 'premium@example.com', role: 'user', plan_type: 'premium' };
    vi.stubGlobal('fetch', async () => Response.json(me));
    signInAsMember({ email: me.email });
    const Member = () => {
      useMe();
      return <SupportLine />;
    };
    show(<Member />);
    await act(async () => undefined);
    const href = 'mailto:help@hop.example?subject=Premium%20support';
    await vi.waitFor(() => expect(screen.getByRole('link').getAttribute('href')).toBe(href));
  });
});
