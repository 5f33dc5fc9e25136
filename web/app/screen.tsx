import { useEffect, useState } from 'react';
import type { ComponentType } from 'react';
import { SCREEN_LOAD_TIMEOUT } from '#contract/limits.ts';
import { ErrorPage } from './error-page.tsx';
import { loadedScreen, loadScreen, shouldReload, ScreenLoadTimeout } from './screen-loading.ts';
import type { LoadScreen } from './screen-loading.ts';
import { ScreenSkeleton } from './screen-skeleton.tsx';

/** A screen loaded on demand (spec §9: within 120 seconds), with Retry, and one reload for a file that a deploy removed. */
export function Screen({ load }: { load: LoadScreen }) {
  const [attempt, setAttempt] = useState(0);
  return <Attempt key={attempt} load={load} onRetry={() => setAttempt(attempt + 1)} />;
}

function Attempt({ load, onRetry }: { load: LoadScreen; onRetry: () => void }) {
  const [Ready, setReady] = useState<ComponentType | null>(() => loadedScreen(load));
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let current = true;
    loadScreen(load, SCREEN_LOAD_TIMEOUT).then(
      (screen) => {
        if (current) setReady(() => screen);
      },
      (cause: unknown) => {
        if (!current) return;
        const gone = !(cause instanceof ScreenLoadTimeout);
        if (gone && shouldReload(sessionStorage, window.location.pathname, navigator.onLine)) window.location.reload();
        else setFailed(true);
      },
    );
    return () => {
      current = false;
    };
  }, [load]);
  if (Ready !== null) return <Ready />;
  if (!failed) return <ScreenSkeleton />;
  return <ErrorPage title="This page did not load" message="Check your connection, then try again." onRetry={onRetry} />;
}
