import type { ReactNode } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { pageAfterSignIn } from '#contract/paths.ts';
import { useSession } from '#web/shared/session.ts';
import { ScreenSkeleton } from './screen-skeleton.tsx';

const choosePassword = (next: string): string => `/auth/reset?next=${encodeURIComponent(next)}`;

/** For members only: a visitor signs in first and comes back here; so does a member who has yet to choose a password. */
export function RequireMember({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.status === 'arriving') return <ScreenSkeleton />;
  if (session.status === 'visitor') return <Navigate replace to={`/auth?next=${encodeURIComponent(pathname + search)}`} />;
  if (session.needsPassword) return <Navigate replace to={choosePassword(pathname + search)} />;
  return children;
}

/** For visitors only: a member goes on to where they wanted to be, else to the dashboard. */
export function RequireVisitor({ children }: { children: ReactNode }) {
  const session = useSession();
  const [query] = useSearchParams();
  if (session.status === 'arriving') return <ScreenSkeleton />;
  if (session.status === 'visitor') return children;
  const next = pageAfterSignIn(query.get('next'), window.location.origin);
  return <Navigate replace to={session.needsPassword ? choosePassword(next) : next} />;
}
