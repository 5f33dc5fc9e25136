import { startTransition, StrictMode, useLayoutEffect, type ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { pageOf, type PagePath } from '#contract/paths.ts';
import { hasPosts } from '#contract/page-templates.ts';
import { dropEarlyResponses } from '#web/shared/early-responses.ts';
import { awaitFirstUse } from '#web/shared/first-use.ts';
import { currentSession } from '#web/shared/session.ts';
import { showSkeletonsAtOnce } from '#web/ui/skeleton.tsx';
import { App } from './app.tsx';
import { keepFocus } from './keep-focus.ts';
import { screenOf } from './pages.ts';
import { loadScreen, withLoadTimeout } from './screen-loading.ts';

declare global {
  interface Window {
    /** True from when the application takes over. The browser tests wait for it. */
    hopStarted?: boolean;
  }
}

/**
 * How long a prerendered page waits for its code and its posts before the application shows its own
 * loading state.
 */
const WAIT_MS = 10_000;
/** How long the skeleton of a member's page waits for the data after the code. */
const DATA_WAIT_MS = 1_000;

/**
 * Starts the application in `root`. A prerendered page stays until its screen can take its place in
 * one step: it is hydrated where it is exactly what the screen renders first, and replaced where it
 * has posts, where the history holds a result, and where it is a member's, which the address or the
 * browser's storage may change. Members never see a visitor's page, and visitors never a member's.
 */
export async function startApp(root: HTMLElement): Promise<void> {
  const app = (
    <StrictMode>
      <App />
    </StrictMode>
  );
  if (window.matchMedia('(display-mode: standalone), (display-mode: minimal-ui)').matches) {
    // Without it the app works the same while there is a network.
    void navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
  }
  const page = pageOf(window.location.pathname);
  const isForMember = root.dataset['members'] !== undefined;
  if (currentSession().status !== (isForMember ? 'member' : 'visitor')) root.replaceChildren();
  delete root.dataset['members'];
  delete document.documentElement.dataset['member'];
  if (page === null || root.firstElementChild === null) {
    window.hopStarted = true;
    createRoot(root).render(app);
    return;
  }
  const isLoaded = await loadPage(page, isForMember ? DATA_WAIT_MS : WAIT_MS);
  if (!isLoaded || isForMember || hasPosts(page) || hasHistoryState()) {
    replacePage(root, app);
    return;
  }
  awaitFirstUse();
  window.hopStarted = true;
  hydrateRoot(root, app);
}

/** Loads the screen of `page` and its data. False if they did not load in time. */
async function loadPage(page: PagePath, dataWaitMs: number): Promise<boolean> {
  const { load, prefetch } = screenOf(page);
  try {
    await loadScreen(load, WAIT_MS);
    await withLoadTimeout(prefetch?.(window.location.pathname) ?? Promise.resolve(), dataWaitMs);
    return true;
  } catch {
    return false;
  }
}

/**
 * Replaces a prerendered page. It stays until the application is complete, which is rendered beside
 * it in short tasks, so that the page stays responsive.
 */
function replacePage(root: HTMLElement, app: ReactNode): void {
  const next = document.createElement('div');
  next.id = root.id;
  showSkeletonsAtOnce(true);
  const swap = (): void => {
    const restoreFocus = keepFocus(root, next);
    root.replaceWith(next);
    restoreFocus();
    window.hopStarted = true;
    showSkeletonsAtOnce(false);
    dropEarlyResponses();
  };
  startTransition(() =>
    createRoot(next).render(
      <>
        <OnCommit run={swap} />
        {app}
      </>,
    ),
  );
}

/**
 * Calls `run` before the effects of the components after it, which may measure what is in the page.
 */
function OnCommit({ run }: { run: () => void }) {
  useLayoutEffect(run, [run]);
  return null;
}

/**
 * True if the router keeps something in this history entry, such as a result on Home, that changes
 * what the screen renders.
 */
function hasHistoryState(): boolean {
  const state: { usr?: unknown } | null = window.history.state;
  return (state?.usr ?? null) !== null;
}
