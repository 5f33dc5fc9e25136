import type { ComponentType } from 'react';

export type LoadScreen = () => Promise<ComponentType>;

/** A screen did not load in time. */
export class ScreenLoadTimeout extends Error {
  override readonly name = 'ScreenLoadTimeout';
}

const RELOADED_KEY = 'hop:reloaded';
const PRELOAD_TIMEOUT_MS = 10_000;
const loaded = new Map<LoadScreen, ComponentType>();

/** The screen if it has already loaded, else null. */
export const loadedScreen = (load: LoadScreen): ComponentType | null => loaded.get(load) ?? null;

/** Loads a screen once. Rejects with `ScreenLoadTimeout` after `timeoutMs`. */
export async function loadScreen(load: LoadScreen, timeoutMs: number): Promise<ComponentType> {
  const screen = loaded.get(load) ?? (await withLoadTimeout(load(), timeoutMs));
  loaded.set(load, screen);
  return screen;
}

/**
 * Starts loading a screen when its link is hovered or focused. Errors are ignored here and show
 * when the screen is opened.
 */
export function preloadScreen(load: LoadScreen): void {
  loadScreen(load, PRELOAD_TIMEOUT_MS).catch(() => undefined);
}

/** Rejects with `ScreenLoadTimeout` if `promise` takes longer than `timeoutMs`. */
export function withLoadTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ScreenLoadTimeout()), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Whether to reload the page after a screen's file failed to load: a deploy may have replaced the
 * file, and a reload gets the new build. True once per tab for the same path, and never offline,
 * where a reload would only lose the page.
 */
export function shouldReload(
  store: Pick<Storage, 'getItem' | 'setItem'>,
  path: string,
  online: boolean,
): boolean {
  if (!online || store.getItem(RELOADED_KEY) === path) return false;
  store.setItem(RELOADED_KEY, path);
  return true;
}
