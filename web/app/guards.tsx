import type { ReactNode } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { pageAfterSignIn } from '#contract/pages/paths.ts';
import { useSession } from '#web/shared/session/session.ts';
import { ScreenSkeleton } from './screen-skeleton.tsx';

const resetPage = (next: string): string => `/auth/reset?next=${encodeURIComponent(next)}`;

/**
 * Allows members only. Visitors sign in first and members without a password choose one; both then
 * return to the page.
 */
export function RequireMember({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.status === 'signing-in') return <ScreenSkeleton />;
  if (session.status === 'visitor')
    return <Navigate replace to={`/auth?next=${encodeURIComponent(pathname + search)}`} />;
  if (session.needsPassword) return <Navigate replace to={resetPage(pathname + search)} />;
  return children;
}

/** Allows visitors only. Members are redirected to `next`, or to the dashboard. */
export function RequireVisitor({ children }: { children: ReactNode }) {
  const session = useSession();
  const [query] = useSearchParams();
  if (session.status === 'signing-in') return <ScreenSkeleton />;
  if (session.status === 'visitor') return children;
  const next = pageAfterSignIn(query.get('next'), window.location.origin);
  return <Navigate replace to={session.needsPassword ? resetPage(next) : next} />;
}
