import { Suspense } from 'react';
import { lazyOr } from '#web/ui/lazy-or.ts';
import type { LinkOptionsProps } from './link-options.tsx';

const LinkOptions = lazyOr<LinkOptionsProps>(
  () => import('./link-options.tsx').then((m) => m.LinkOptions),
  () => null,
);

/** Options that few links need. Their code loads after the form, which works without it. */
export function MoreOptions(props: LinkOptionsProps) {
  return (
    <Suspense fallback={<div className="h-8 pointer-coarse:h-11" />}>
      <LinkOptions {...props} />
    </Suspense>
  );
}
