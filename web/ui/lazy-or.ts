import { lazy, type ComponentType } from 'react';

/** A component whose code loads when it first renders. `Fallback` replaces it if that fails. */
export const lazyOr = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Fallback: ComponentType<Props>,
) =>
  lazy(() =>
    load().then(
      (loaded) => ({ default: loaded }),
      () => ({ default: Fallback }),
    ),
  );
