import { useEffect } from 'react';
import { createStore } from '#web/ui/create-store.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/**
 * Inline scripts in index.html and worker/redirect/html-page.ts read the same key before the first
 * paint.
 */
const KEY = 'hop-theme';

export function storedTheme(store: Pick<Storage, 'getItem'>): Theme {
  const value = store.getItem(KEY);
  return THEMES.find((theme) => theme === value) ?? 'system';
}

/** Applies the theme and stores it for the next visit. 'system' deletes the stored choice. */
export function chooseTheme(
  theme: Theme,
  page: HTMLElement,
  store: Pick<Storage, 'setItem' | 'removeItem'>,
): void {
  if (theme === 'system') {
    delete page.dataset['theme'];
    store.removeItem(KEY);
  } else {
    page.dataset['theme'] = theme;
    store.setItem(KEY, theme);
  }
}

const current = createStore<Theme>('system');

/** The chosen theme, and a function that chooses another one. Every switch shows the same choice. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  // The first render must equal the prerendered page.
  useEffect(() => current.set(storedTheme(localStorage)), []);
  const choose = (theme: Theme): void => {
    chooseTheme(theme, document.documentElement, localStorage);
    current.set(theme);
  };
  return [current.use(), choose];
}
