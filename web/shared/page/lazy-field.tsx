import { Suspense, type ComponentType } from 'react';
import { lazyOr } from '#web/ui/lazy-or.ts';

/** A field whose code loads when it first shows. The form works without it. */
export function lazyField<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Field = lazyOr(load);
  return function LazyField(props: Props) {
    return (
      <Suspense fallback={<div className="h-8 pointer-coarse:h-11" />}>
        <Field {...props} />
      </Suspense>
    );
  };
}
