import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { pageOf } from '#contract/paths.ts';
import { hasPosts } from '#contract/page-templates.ts';
import { awaitFirstUse } from '#web/shared/first-use.ts';
import { currentSession } from '#web/shared/session.ts';
import { App } from './app.tsx';
import { keepEarlyInput } from './early-input.ts';
import { screenOf } from './pages.ts';
import { loadScreen, withTimeout } from './screen-loading.ts';

/** How long a prerendered page waits for its code and data before the application shows its own loading state. */
const WAIT_MS = 10_000;

/**
 * Starts the application in `root`. A prerendered page stays until its screen can take its place in one step: it is hydrated where
 * it is exactly what the screen renders first, and replaced where it has posts or where the history holds a result.
 * Members never see a prerendered page, because it is a visitor's; the script in index.html hides it.
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
  if (currentSession().status !== 'visitor') root.replaceChildren();
  delete document.documentElement.dataset['member'];
  if (page === null || root.firstElementChild === null) {
    window.hopStarted = true;
    createRoot(root).render(app);
    return;
  }
  const screen = screenOf(page);
  const isLoaded = await loadScreen(screen.load, WAIT_MS)
    .then(() => withTimeout(screen.prefetch?.(window.location.pathname) ?? Promise.resolve(), WAIT_MS))
    .then(
      () => true,
      () => false,
    );
  const repeatInput = keepEarlyInput(root);
  if (isLoaded && !hasPosts(page) && !hasHistoryState()) {
    awaitFirstUse();
    hydrateRoot(root, app);
  } else {
    flushSync(() => createRoot(root).render(app));
  }
  repeatInput();
}

/** True if the router keeps something in this history entry, such as a result on Home, that changes what the screen renders. */
function hasHistoryState(): boolean {
  const state: { usr?: unknown } | null = window.history.state;
  return (state?.usr ?? null) !== null;
}
