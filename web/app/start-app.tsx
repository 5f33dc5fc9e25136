import { startTransition, StrictMode, useLayoutEffect, type ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { pageOf, type PagePath } from '#contract/pages/paths.ts';
import { hasPosts } from '#contract/pages/page-templates.ts';
import { dropEarlyResponses } from '#web/shared/api/early-responses.ts';
import { awaitFirstUse } from '#web/shared/page/first-use.ts';
import { currentSession } from '#web/shared/session/session.ts';
import { askBeforeUnload } from '#web/ui/unsaved-changes.ts';
import { showSkeletonsAtOnce } from '#web/ui/skeleton.tsx';
import { App } from './app.tsx';
import { keepFocus } from './keep-focus.ts';
import { screenOf } from './pages.ts';
import { loadScreen, withLoadTimeout } from './screen-loading.ts';

declare global {
  interface Window {
    /** True after the application has taken over. The browser tests wait for it. */
    hopStarted?: boolean;
  }
}

/**
 * How many ms a prerendered page waits for its code and posts before the application shows its own
 * loading state.
 */
const WAIT_MS = 10_000;
/** How many ms the skeleton of a member's page waits for its data after the code has loaded. */
const DATA_WAIT_MS = 1_000;

/**
 * Starts the application in `root`. A prerendered page stays until its screen can replace it in one
 * step: it is hydrated if it equals the screen's first render, and replaced if it has posts, if the
 * history holds a result, or if it is a member's page, which depends on the address or storage.
 * Members never see a visitor's page, and visitors never a member's.
 */
export async function startApp(root: HTMLElement): Promise<void> {
  const app = (
    <StrictMode>
      <App />
    </StrictMode>
  );
  if (window.matchMedia('(display-mode: standalone), (display-mode: minimal-ui)').matches) {
    // Without the service worker, the app works the same as long as there is a network.
    void navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
  }
  askBeforeUnload();
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

/** Loads the screen of `page` and its data. Returns false if they did not load in time. */
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
 * Replaces a prerendered page once the application is complete. It renders beside the page in short
 * tasks, so that the page stays responsive.
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

/** Calls `run` before the effects of the following components, which may measure the page. */
function OnCommit({ run }: { run: () => void }) {
  useLayoutEffect(run, [run]);
  return null;
}

/**
 * True if the router's state in this history entry changes what the screen renders, for example a
 * result on Home.
 */
function hasHistoryState(): boolean {
  const state: { usr?: unknown } | null = window.history.state;
  return (state?.usr ?? null) !== null;
}
