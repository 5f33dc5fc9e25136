import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
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
import { config } from '#web/shared/page/config.ts';
import { startSession } from '#web/shared/session/session.ts';
import { SupportLine } from './support.tsx';
import { useMe } from '#web/shared/api/use-me.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
  config.supportEmail = '';
});

/** Shows the page, or the dialog after its code has loaded. */
async function show(page: ReactNode): Promise<HTMLElement> {
  const { baseElement } = render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>{page}</MemoryRouter>
    </QueryClientProvider>,
  );
  await waitFor(() => expect(baseElement.textContent).not.toBe(''));
  return baseElement;
}

const PLACES: readonly [string, ReactNode][] = [
  ['the footer', <Footer key="footer" />],
  ['Pricing', <PricingPage key="pricing" plan={null} onUpgrade={() => undefined} />],
  ['Terms', <TermsPage key="terms" />],
  ['Privacy', <PrivacyPage key="privacy" />],
  ['the upgrade dialog', <UpgradeDialog key="dialog" open onClose={() => undefined} />],
  [
    'the page for errors',
    <ErrorPage key="error" title="Error" message="" onRetry={() => undefined} />,
  ],
  ['the page for unknown addresses', <NotFoundPage key="unknown" />],
];

describe('the support address', () => {
  it.each(PLACES)('the support address is a link in %s', async (_, page) => {
    config.supportEmail = 'help@hop.example';
    const links = (await show(page)).querySelectorAll('a[href="mailto:help@hop.example"]');
    expect(links.length).toBeGreaterThan(0);
  });

  it.each(PLACES)('%s does not mention a support address if there is none', async (_, page) => {
    const container = await show(page);
    expect(container.textContent).not.toMatch(/support/i);
    expect(container.querySelector('a[href^="mailto:"]')).toBeNull();
  });

  it.each([
    ['Pricing', <PricingPage key="pricing" plan={null} onUpgrade={() => undefined} />],
    ['the upgrade dialog', <UpgradeDialog key="dialog" open onClose={() => undefined} />],
  ])('the support address brings priority support to %s', async (_, page) => {
    config.supportEmail = 'help@hop.example';
    expect((await show(page)).textContent).toContain('We answer your mail first.');
  });

  it.each([
    ['premium', '?subject=Premium%20support'],
    ['free', ''],
  ])('the mail of a %s member to the support address has the query “%s”', async (plan, subject) => {
    config.supportEmail = 'help@hop.example';
    const email = `${plan}@example.com`;
    const me = { id: `id of ${email}`, email, role: 'user', plan };
    vi.stubGlobal('fetch', async () => Response.json(me));
    signInAsMember({ email });
    const Member = () => {
      const own = useMe();
      return <SupportLine lead={`${own.me?.plan}:`} />;
    };
    await show(<Member />);
    await screen.findByText(new RegExp(`^${plan}:`));
    expect(screen.getByRole('link').getAttribute('href')).toBe(`mailto:help@hop.example${subject}`);
  });
});
