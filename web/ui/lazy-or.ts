import { lazy, type ComponentType } from 'react';

/** A component whose code loads when it first renders. If that fails, `Fallback` or nothing shows. */
export const lazyOr = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Fallback: ComponentType<Props> = () => null,
) =>
  lazy(() =>
    load().then(
      (loaded) => ({ default: loaded }),
      () => ({ default: Fallback }),
    ),
  );

/** Loads code. If there is no network, it waits for it and loads again. */
export async function loadOnline<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (navigator.onLine) throw error;
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
    return loadOnline(load);
  }
}
