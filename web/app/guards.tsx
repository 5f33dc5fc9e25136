import type { ReactNode } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { safeNext } from '#web/shared/next.ts';
import { useSession } from '#web/shared/session.ts';
import { ScreenSkeleton } from './screen-skeleton.tsx';

/** For members only: a visitor signs in first and comes back here. */
export function RequireMember({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.status === 'arriving') return <ScreenSkeleton />;
  if (session.status === 'visitor') return <Navigate replace to={`/auth?next=${encodeURIComponent(pathname + search)}`} />;
  return children;
}

/** For visitors only: a member goes on to where they wanted to be, else to the dashboard. */
export function RequireVisitor({ children }: { children: ReactNode }) {
  const session = useSession();
  const [query] = useSearchParams();
  if (session.status === 'arriving') return <ScreenSkeleton />;
  if (session.status === 'member') return <Navigate replace to={safeNext(query.get('next'), window.location.origin)} />;
  return children;
}
