import type { ReactNode } from 'react';
import { MARK, type ArcShape } from '#contract/pages/brand.ts';
import { Arc } from './arc.tsx';

/**
 * Shown in place of an empty list: one line, with at most one action. The arc lands if the list can
 * be filled; BROKEN_ARC says that nothing was found, ENDED_ARC that there is no way on.
 */
export function EmptyState({
  arc = MARK,
  title,
  children,
  action,
}: {
  arc?: ArcShape;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-4 py-14 text-center">
      <Arc shape={arc} className="mb-3 size-12 text-line-strong" />
      <p className="text-16 font-medium">{title}</p>
      {children !== undefined && <p className="mt-1 max-w-[44ch] text-14 text-ink-3">{children}</p>}
      {action !== undefined && <div className="mt-5">{action}</div>}
    </div>
  );
}
