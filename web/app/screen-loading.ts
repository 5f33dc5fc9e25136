import type { ComponentType } from 'react';

export type LoadScreen = () => Promise<ComponentType>;

export class ScreenLoadTimeout extends Error {
  override readonly name = 'ScreenLoadTimeout';
}

const RELOADED_KEY = 'hop:reloaded';
const PRELOAD_TIMEOUT_MS = 10_000;
const loaded = new Map<LoadScreen, ComponentType>();

export const loadedScreen = (load: LoadScreen): ComponentType | null => loaded.get(load) ?? null;

/** Loads a screen once. Rejects with `ScreenLoadTimeout` after `timeoutMs`. */
export async function loadScreen(load: LoadScreen, timeoutMs: number): Promise<ComponentType> {
  const screen = loaded.get(load) ?? (await withLoadTimeout(load(), timeoutMs));
  loaded.set(load, screen);
  return screen;
}

/** Starts loading a screen. Errors are ignored here because they show when the screen opens. */
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
 * Returns whether to reload the page after a screen's file failed to load, because a deploy may
 * have replaced that file. True once per tab and path, and never offline, where a reload would lose
 * the page.
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
