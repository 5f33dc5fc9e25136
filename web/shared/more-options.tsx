import { lazy, Suspense, type ComponentType } from 'react';
import type { LinkOptionsProps } from './link-options.tsx';

const LinkOptions = lazy<ComponentType<LinkOptionsProps>>(() =>
  import('./link-options.tsx').then(
    (m) => ({ default: m.LinkOptions }),
    () => ({ default: () => null }),
  ),
);

/** Options that few links need. Their code loads after the form, which works without it. */
export function MoreOptions(props: LinkOptionsProps) {
  return (
    <Suspense fallback={<div className="h-8 pointer-coarse:h-11" />}>
      <LinkOptions {...props} />
    </Suspense>
  );
}
