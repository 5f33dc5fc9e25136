import { Suspense, useEffect } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { currentSession } from '#web/shared/session/session.ts';
import { DialogNotice } from '#web/ui/dialog-notice.ts';
import { createStore } from '#web/ui/create-store.ts';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { preloadPopups } from '#web/ui/preload-popups.ts';
import { Toaster } from '#web/ui/toaster.tsx';
import { AppRoutes } from './routes.tsx';
import { PageSessionNotice, SessionNotice } from './session-notice.tsx';

/** False while the build renders a page and during hydration. */
const useIsHydrated = createStore<boolean>(true, () => false).use;

/** Tooltips only repeat or complete what the page says, so their code loads after the first view. */
const Tooltips = lazyOr(() => import('#web/ui/tooltips.tsx').then((m) => m.Tooltips));

const NOTICE = <SessionNotice />;
/** How many ms after its start a member's page loads what opens on demand. */
const PRELOAD_DELAY_MS = 2_000;

export function AppContent() {
  const isHydrated = useIsHydrated();
  useEffect(() => {
    if (currentSession().status !== 'member') return;
    const timer = setTimeout(preloadPopups, PRELOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <DialogNotice value={NOTICE}>
      <AppRoutes />
      {isHydrated && (
        <>
          <PageSessionNotice />
          <Toaster />
          <Suspense fallback={null}>
            <Tooltips />
          </Suspense>
        </>
      )}
    </DialogNotice>
  );
}

export function App() {
  return (
    <BrowserRouter>
      <AppContent />
    </BrowserRouter>
  );
}
