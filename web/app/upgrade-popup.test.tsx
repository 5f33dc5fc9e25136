import { QueryClient } from '@tanstack/react-query';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { press, showPage } from '#web/testing/render-page.tsx';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { useUpgradePopup } from './upgrade-popup.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('what depends on the plan loads again once the choice of plans is closed', async () => {
  const reload = vi.spyOn(QueryClient.prototype, 'invalidateQueries');
  const calls = serveRoutes({});
  function Page() {
    const [upgrade, popup] = useUpgradePopup('analytics');
    return (
      <>
        <button type="button" onClick={upgrade}>
          Upgrade
        </button>
        {popup}
      </>
    );
  }
  showPage(<Page />);
  expect(calls).toEqual([]);
  await press('Upgrade');
  await screen.findByRole('dialog', { name: 'Choose Your Plan' });
  expect(reload).not.toHaveBeenCalled();
  await press('Close');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(reload).toHaveBeenCalledExactlyOnceWith({ queryKey: ['analytics'] });
});
