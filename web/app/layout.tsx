import { useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, Outlet, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { focusNextHeading } from '#web/shared/hooks.ts';
import { containsToken, parseMailLink } from '#web/shared/mail-link.ts';
import { ErrorBoundary } from './error-page.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';

/**
 * Takes tokens out of the address bar and the history as soon as they are there, so that nobody reads them later. The page that
 * opens mail links finds its link in the history's state, where a reload finds it too; any other token is dropped.
 */
function useCleanAddress(): void {
  const location = useLocation();
  const navigate = useNavigate();
  // No layout effect: on the first page the router does not listen to its history until those have run.
  useEffect(() => {
    const { pathname, search, hash } = location;
    if (!containsToken(hash)) return;
    const mailLink = pathname === '/auth/confirm' ? parseMailLink(hash, window.location.origin) : null;
    void navigate(pathname + search, { replace: true, state: mailLink === null ? null : { mailLink } });
  }, [location, navigate]);
}

/** Header, the screen, footer (below the fold, so that it does not move when the screen arrives). Scrolls as a browser would: up on a new page, back where one was on Back. */
export function Layout() {
  useCleanAddress();
  const { pathname, hash, key } = useLocation();
  const how = useNavigationType();
  const lastPath = useRef(pathname);
  const places = useRef(new Map<string, number>());

  useLayoutEffect(() => {
    const kept = places.current;
    const remember = (): void => {
      kept.set(key, window.scrollY);
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);

  // Ahead of every page's own effects: a page whose code is here already takes the focus in this very commit.
  useLayoutEffect(() => {
    // The first page, and a change of the query or the hash alone, are no navigation to a new page.
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    focusNextHeading();
    if (how === NavigationType.Pop) {
      const top = places.current.get(key) ?? 0;
      // Twice: at once for a screen that is there, and after it has filled.
      window.scrollTo({ top });
      const timer = setTimeout(() => window.scrollTo({ top }), 120);
      return () => clearTimeout(timer);
    }
    if (hash === '') window.scrollTo({ top: 0 });
    else document.getElementById(idIn(hash))?.scrollIntoView();
    return undefined;
  }, [pathname, hash, key, how]);

  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:px-4 focus:py-2"
      >
        Skip to content
      </a>
      <Header />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto min-h-[calc(100dvh-3.5rem)] w-full max-w-app flex-1 px-4 pt-8 pb-20 sm:px-6 sm:pt-10"
      >
        <ErrorBoundary key={pathname}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <Footer />
    </>
  );
}

/** The element that a fragment names; '' where somebody made a fragment that is no text. */
function idIn(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}
