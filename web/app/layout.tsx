import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { containsToken, parseMailLink } from '#web/shared/sign-in/mail-link.ts';
import { focusNextHeading } from '#web/ui/use-heading-focus.ts';
import { decodeUri } from './decode-uri.ts';
import { ErrorBoundary } from './error-page.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { NewLinkHost } from './new-link-host.tsx';
import { PaletteHost } from './palette-host.tsx';

/**
 * How many milliseconds to wait for a screen to fill before the scroll position is restored again.
 */
const RESTORE_SCROLL_MS = 120;

/**
 * Removes tokens from the address bar and the history at once, so that nobody can read them later.
 * A mail link on /auth/confirm moves into the history's state, where it survives a reload; all
 * other tokens are dropped.
 */
function useRemoveTokensFromAddress(): void {
  const location = useLocation();
  const navigate = useNavigate();
  // This cannot be a layout effect: on the first page the router only listens to its history after
  // layout effects have run.
  useEffect(() => {
    const { pathname, search, hash } = location;
    if (!containsToken(hash)) return;
    const mailLink =
      pathname === '/auth/confirm' ? parseMailLink(hash, window.location.origin) : null;
    void navigate(pathname + search, {
      replace: true,
      state: mailLink === null ? null : { mailLink },
    });
  }, [location, navigate]);
}

/**
 * The frame of every page. The footer starts below the fold, so it does not move when the screen
 * loads. A new page scrolls to the top; Back restores the scroll position, as in a browser.
 */
export function Layout({ children }: { children: ReactNode }) {
  useRemoveTokensFromAddress();
  const { pathname, hash, key } = useLocation();
  const navigationType = useNavigationType();
  const lastPath = useRef(pathname);
  const scrollPositions = useRef(new Map<string, number>());

  useLayoutEffect(() => {
    const positions = scrollPositions.current;
    const onScroll = (): void => {
      positions.set(key, window.scrollY);
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [key]);

  // This is a layout effect, so that `focusNextHeading` runs before the effect with which a page
  // that has already loaded focuses its heading.
  useLayoutEffect(() => {
    // The first page is not a navigation, and neither is a change of only the query or the hash.
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    focusNextHeading();
    if (navigationType === NavigationType.Pop) {
      const top = scrollPositions.current.get(key) ?? 0;
      // Scrolls at once for a cached screen, and again after the screen has filled.
      window.scrollTo({ top });
      const timer = setTimeout(() => window.scrollTo({ top }), RESTORE_SCROLL_MS);
      return () => clearTimeout(timer);
    }
    if (hash === '') window.scrollTo({ top: 0 });
    else document.getElementById(decodeUri(hash.slice(1), ''))?.scrollIntoView();
    return undefined;
  }, [pathname, hash, key, navigationType]);

  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:inset-s-3 focus:px-4 focus:py-2"
      >
        Skip to content
      </a>
      <Header />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto min-h-[calc(100dvh-3.5rem)] w-full max-w-app flex-1 px-4 pt-6 pb-20 sm:px-6"
      >
        <ErrorBoundary key={pathname}>{children}</ErrorBoundary>
      </main>
      <Footer />
      <NewLinkHost />
      <PaletteHost />
    </>
  );
}
