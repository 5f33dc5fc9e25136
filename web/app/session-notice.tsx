import { Suspense } from 'react';
import { useEndedSession } from '#web/shared/session/session.ts';
import { useTopDialog } from '#web/ui/unsaved-changes.ts';
import { lazyOr } from '#web/ui/lazy-or.tsx';

const SessionEnded = lazyOr(
  () => import('./session-ended.tsx').then((m) => m.SessionEnded),
  // A sign-in in another tab is noticed here, too.
  () => (
    <p role="alert" className="mb-4 text-14">
      Your session has ended.{' '}
      <a href="/auth" target="_blank" className="underline">
        Sign in again
      </a>
    </p>
  ),
);

/** What a dialog shows while the session of its member has ended. */
export function SessionNotice({ floats = false }: { floats?: boolean }) {
  const ended = useEndedSession();
  if (ended === 'no') return null;
  return (
    <Suspense fallback={null}>
      <SessionEnded asking={ended === 'asking'} floats={floats} />
    </Suspense>
  );
}

/** The notice at the edge of the page, for a form that is in no dialog. */
export const PageSessionNotice = () => useTopDialog() === null && <SessionNotice floats />;
