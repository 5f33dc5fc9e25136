import { Suspense, type ComponentProps } from 'react';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import type { StatusArc } from './status-arc.tsx';

type Props = ComponentProps<typeof StatusArc>;

const Space = ({ className }: Pick<Props, 'className'>) => <div className={className} />;
const Picture = lazyOr(() => import('./status-arc.tsx').then((m) => m.StatusArc), Space);

/** As on the Worker's error pages (worker/redirect/page-style.ts). */
const CLASS = '-ms-[9px] mt-2 mb-4 size-24 rtl:-scale-x-100';

/** The arc of a page that has nothing to show. Few visitors see it, so its code loads then. */
export const StatusPicture = ({ shape }: Pick<Props, 'shape'>) => (
  <Suspense fallback={<Space className={CLASS} />}>
    <Picture shape={shape} className={CLASS} />
  </Suspense>
);
