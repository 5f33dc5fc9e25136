import { Suspense } from 'react';
import type { ListedLink, ShortenResponse } from '#contract/links/links.ts';
import { useFirstSteps } from '#web/shared/links/stored-first-steps.ts';
import { lazyOr } from '#web/ui/lazy-or.tsx';

type Props = {
  link: ListedLink | null;
  hasClicks: boolean;
  onCreated: (usage: ShortenResponse['usage']) => void;
  onQr: (link: ListedLink) => void;
};

const Panel = lazyOr(() => import('./first-steps-panel.tsx').then((m) => m.FirstStepsPanel));

/** A member with more links than this needs no first steps. */
const NEW_MEMBER_LINKS = 10;

/**
 * Whether the first steps show: in an account without links or without clicks, and until they are
 * done where they were begun. They can be hidden for good.
 */
export function useHasSteps({ links, clicks }: { links: number; clicks: number }): boolean {
  const { isOpen, isDismissed, hasQr } = useFirstSteps();
  if (isDismissed || links > NEW_MEMBER_LINKS) return false;
  const isDone = links > 0 && clicks > 0 && hasQr;
  return !isDone && (isOpen || clicks === 0);
}

/** The first steps of a new member. Their code loads after the page. */
export function FirstSteps(props: Props) {
  const { hasQr } = useFirstSteps();
  return (
    <Suspense fallback={<div className="h-40 md:h-32" />}>
      <Panel {...props} hasQr={hasQr} />
    </Suspense>
  );
}
