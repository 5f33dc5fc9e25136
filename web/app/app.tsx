import { useSyncExternalStore } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { Toaster } from '#web/ui/toaster.tsx';
import { Tooltips } from '#web/ui/tooltips.tsx';
import { AppRoutes } from './routes.tsx';

const subscribe = (): (() => void) => () => undefined;
/** False while the build renders a page and during hydration. */
const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );

export function AppContent() {
  const isHydrated = useIsHydrated();
  return (
    <>
      <AppRoutes />
      {isHydrated && (
        <>
          <Toaster />
          <Tooltips />
        </>
      )}
    </>
  );
}

export function App() {
  return (
    <BrowserRouter>
      <AppContent />
    </BrowserRouter>
  );
}
