import { useMemo } from 'react';
import { UNSAFE_RouteContext as RouteContext, useLocation } from 'react-router-dom';
import { pageOf, type PagePath } from '#contract/pages/paths.ts';
import { decodeUri } from './decode-uri.ts';
import { RequireMember, RequireVisitor } from './guards.tsx';
import { Layout } from './layout.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { screenOf } from './pages.ts';
import { Screen } from './screen.tsx';

const GUARDS = { member: RequireMember, visitor: RequireVisitor } as const;

/**
 * Shows the page at the current address. Pages are matched by `pageOf`, as in the Worker: the
 * router's `Routes`, with its ranking and data loading, would add 3 KB to every page.
 */
export function AppRoutes() {
  const { pathname } = useLocation();
  const page = pageOf(pathname);
  const route = useMemo(() => {
    const match = {
      params: page === null ? {} : paramsOf(page, pathname),
      pathname,
      pathnameBase: pathname,
      route: {},
    };
    return { outlet: null, matches: [match], isDataRoute: false };
  }, [page, pathname]);
  return (
    <RouteContext.Provider value={route}>
      <Layout>{page === null ? <NotFoundPage /> : <PageScreen key={page} page={page} />}</Layout>
    </RouteContext.Provider>
  );
}

function PageScreen({ page }: { page: PagePath }) {
  const { guard, load } = screenOf(page);
  const Guard = guard === undefined ? null : GUARDS[guard];
  const screen = <Screen load={load} />;
  return Guard === null ? screen : <Guard>{screen}</Guard>;
}

export function paramsOf(page: PagePath, pathname: string): Record<string, string> {
  const parts = pathname.split('/');
  return Object.fromEntries(
    page
      .split('/')
      .flatMap((name, index) =>
        name.startsWith(':')
          ? [[name.slice(1), decodeUri(parts[index] ?? '', parts[index] ?? '')]]
          : [],
      ),
  );
}
