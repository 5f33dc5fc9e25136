import { useEffect, useState, type ComponentType } from 'react';
import { CHECK_CONNECTION } from '#web/ui/check-connection.ts';
import { useRetryOnline } from '#web/ui/offline.ts';
import { ErrorPage } from './error-page.tsx';
import {
  loadedScreen,
  loadScreen,
  ScreenLoadTimeout,
  shouldReload,
  type LoadScreen,
} from './screen-loading.ts';
import { ScreenSkeleton } from './screen-skeleton.tsx';

const LOAD_TIMEOUT_MS = 120_000;

/**
 * Loads a screen on demand. Shows a skeleton, then the screen or an error with Retry. See
 * docs/decisions.md#d26.
 */
export function Screen({ load }: { load: LoadScreen }) {
  const [attempt, setAttempt] = useState(0);
  return <LoadAttempt key={attempt} load={load} onRetry={() => setAttempt(attempt + 1)} />;
}

function LoadAttempt({ load, onRetry }: { load: LoadScreen; onRetry: () => void }) {
  const [Loaded, setLoaded] = useState<ComponentType | null>(() => loadedScreen(load));
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isMounted = true;
    loadScreen(load, LOAD_TIMEOUT_MS).then(
      (screen) => {
        if (isMounted) setLoaded(() => screen);
      },
      (cause: unknown) => {
        if (!isMounted) return;
        const isFileMissing = !(cause instanceof ScreenLoadTimeout);
        if (
          isFileMissing &&
          shouldReload(sessionStorage, window.location.pathname, navigator.onLine)
        )
          window.location.reload();
        else setFailed(true);
      },
    );
    return () => {
      isMounted = false;
    };
  }, [load]);
  useRetryOnline(failed, onRetry);
  if (Loaded !== null) return <Loaded />;
  if (!failed) return <ScreenSkeleton />;
  return <ErrorPage title="This page didn’t load" message={CHECK_CONNECTION} onRetry={onRetry} />;
}
