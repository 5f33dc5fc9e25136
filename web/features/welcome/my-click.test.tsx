import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ClickDetails, ClickPreviewResponse } from '#contract/reports/click-preview.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { MyClick } from './my-click.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const DETAILS: ClickDetails = {
  country: 'IN',
  region: 'Karnataka',
  city: 'Bengaluru',
  device: 'Mobile',
  browser: 'Firefox',
  os: 'Android',
  source: 'hop.example',
};
const HUMAN: ClickPreviewResponse = {
  at: '2026-11-26T10:00:00.000Z',
  figure: 'human',
  hasVisitorId: true,
  details: DETAILS,
};

/** Presses the button and returns what each name of the list says. */
async function ask(answer: ClickPreviewResponse): Promise<Record<string, string>> {
  serveRoutes({ 'GET /api/click-preview': answer });
  showPage(<MyClick />);
  await press('Show me what my click would store');
  await screen.findByText('Visitor id');
  return Object.fromEntries(
    [...screen.getByRole('status').querySelectorAll('dt')].map((name) => [
      name.textContent,
      name.nextElementSibling?.textContent ?? '',
    ]),
  );
}

describe('MyClick', () => {
  it('asks nothing before the button is pressed, then shows what would be stored', async () => {
    const calls = serveRoutes({ 'GET /api/click-preview': () => new Promise(() => undefined) });
    showPage(<MyClick />);
    expect(calls).toEqual([]);
    await press('Show me what my click would store');
    await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).not.toBeNull());
    cleanup();
    expect(await ask(HUMAN)).toMatchObject({
      Time: expect.stringMatching(/^Nov 26, 2026/),
      Country: 'India',
      'Region and city': 'Karnataka, Bengaluru',
      Device: 'Mobile',
      Browser: 'Firefox',
      'Operating system': 'Android',
      'Came from': 'hop.example, this site',
      'IP address': 'Not stored',
      'Visitor id': expect.stringContaining('destroyed within 48 hours'),
    });
  });

  it('says what is unknown, and that a visitor who opts out gets no visitor id', async () => {
    const details = { ...DETAILS, country: '', region: '', city: '', source: '' };
    expect(await ask({ ...HUMAN, hasVisitorId: false, details })).toMatchObject({
      Country: 'Unknown',
      'Region and city': 'Unknown',
      'Came from': 'No site was named',
      'Visitor id': 'None, because your browser asks not to be tracked.',
    });
  });

  it('says that a bot only counts', async () => {
    serveRoutes({ 'GET /api/click-preview': { ...HUMAN, figure: 'bot' } });
    showPage(<MyClick />);
    await press('Show me what my click would store');
    expect(await screen.findByText(/looks like a bot/)).toBeTruthy();
    expect(screen.queryByText('Visitor id')).toBeNull();
    cleanup();
    serveRoutes({ 'GET /api/click-preview': { ...HUMAN, figure: 'prefetch', details: null } });
    showPage(<MyClick />);
    await press('Show me what my click would store');
    expect(await screen.findByText(/only prefetched/)).toBeTruthy();
  });

  it('says that the answer failed, and Retry asks again', async () => {
    serveRoutes({ 'GET /api/click-preview': failure(503, 'Not now.') });
    showPage(<MyClick />);
    await press('Show me what my click would store');
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Your click could not be shown.',
    );
    serveRoutes({ 'GET /api/click-preview': HUMAN });
    await press('Retry');
    expect(await screen.findByText('India')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
