import { cleanup, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, expect, it, vi } from 'vitest';
import { makeReport } from '#web/testing/make-report.ts';
import { makeSharedReport } from '#web/testing/make-shared-report.ts';
import { choose, press, showPage } from '#web/testing/render-page.tsx';
import { serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { AnalyticsScreen } from './analytics-screen.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const address = 'https://hop.example/share#secret';

it('the page of a link shares the report of this link, and closes the form', async () => {
  signInAsMember({ email: 'share@example.com' });
  const calls = serveRoutes({
    'GET /api/analytics/a': makeReport(),
    'GET /api/shared-reports': { reports: [] },
    'POST /api/shared-reports': { ...makeSharedReport(), address },
  });
  showPage(
    <Routes>
      <Route path="/analytics/:code" element={<AnalyticsScreen />} />
    </Routes>,
    '/analytics/a',
  );
  await choose('More actions for a', 'Share report');
  await screen.findByRole('dialog', { name: 'Share report' });
  await press('Close');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await choose('More actions for a', 'Share report');
  await press('Create and copy address');
  await screen.findByText(address);
  expect(writesOf(calls).map(({ body }) => body)).toMatchObject([
    { code: 'a', title: 'Clicks on a' },
  ]);
});
