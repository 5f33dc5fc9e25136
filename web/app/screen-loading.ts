import type { ComponentType } from 'react';

export type LoadScreen = () => Promise<ComponentType>;

/** A screen that did not arrive in time. */
export class ScreenLoadTimeout extends Error {
  override readonly name = 'ScreenLoadTimeout';
}

const RELOADED = 'hop:reloaded';
const loaded = new Map<LoadScreen, ComponentType>();

/** The screen, if it has been loaded before. */
export const loadedScreen = (load: LoadScreen): ComponentType | null => loaded.get(load) ?? null;

/** Loads a screen once; rejects with `ScreenLoadTimeout` after `ms`. */
export async function loadScreen(load: LoadScreen, ms: number): Promise<ComponentType> {
  const screen = loaded.get(load) ?? (await within(load(), ms));
  loaded.set(load, screen);
  return screen;
}

/** Loads a screen ahead of its use: a pointer or the focus is on its link. A failure shows when the screen is opened. */
export function preloadScreen(load: LoadScreen): void {
  loadScreen(load, 10_000).catch(() => undefined);
}

function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ScreenLoadTimeout()), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * After a deploy the file of a screen may be gone. True once for a path and tab: a reload then brings the new build.
 * Never offline, where a reload would only lose the page.
 */
export function shouldReload(store: Pick<Storage, 'getItem' | 'setItem'>, path: string, online: boolean): boolean {
  if (!online || store.getItem(RELOADED) === path) return false;
  store.setItem(RELOADED, path);
  return true;
}
