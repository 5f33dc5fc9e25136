import { startTransition, StrictMode, useLayoutEffect, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { pageOf } from '#contract/paths.ts';
import { hasPosts } from '#contract/page-templates.ts';
import { dropEarlyResponses } from '#web/shared/early-responses.ts';
import { awaitFirstUse } from '#web/shared/first-use.ts';
import { currentSession } from '#web/shared/session.ts';
import { showSkeletonsAtOnce } from '#web/ui/skeleton.tsx';
import { App } from './app.tsx';
import { keepEarlyInput } from './early-input.ts';
import { screenOf } from './pages.ts';
import { loadScreen, withTimeout } from './screen-loading.ts';
import { untilParsed } from './until-parsed.ts';

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
  // The application loads after the first paint, which can come before the end of the HTML.
  await untilParsed();
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
  const screen = screenOf(page);
  const isLoaded = await loadScreen(screen.load, WAIT_MS)
    .then(() =>
      withTimeout(
        screen.prefetch?.(window.location.pathname) ?? Promise.resolve(),
        isForMember ? DATA_WAIT_MS : WAIT_MS,
      ),
    )
    .then(
      () => true,
      () => false,
    );
  if (isForMember) {
    await replaceSkeleton(root, app);
    return;
  }
  const repeatInput = keepEarlyInput(root, root);
  if (isLoaded && !hasPosts(page) && !hasHistoryState()) {
    awaitFirstUse();
    hydrateRoot(root, app);
  } else {
    flushSync(() => createRoot(root).render(app));
  }
  repeatInput();
}

/**
 * Replaces the skeleton of a member's page. It stays until the application is complete, which is
 * rendered beside it in short tasks, so that the page stays responsive.
 */
async function replaceSkeleton(root: HTMLElement, app: ReactNode): Promise<void> {
  const next = document.createElement('div');
  next.id = root.id;
  showSkeletonsAtOnce(true);
  const repeatInput = await new Promise<() => void>((done) => {
    const swap = (): void => {
      done(keepEarlyInput(root, next));
      root.replaceWith(next);
    };
    startTransition(() =>
      createRoot(next).render(
        <>
          <OnCommit run={swap} />
          {app}
        </>,
      ),
    );
  });
  showSkeletonsAtOnce(false);
  dropEarlyResponses();
  repeatInput();
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
