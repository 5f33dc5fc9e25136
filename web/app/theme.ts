import { useEffect } from 'react';
import { createStore } from '#web/ui/create-store.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/**
 * Inline scripts in index.html and worker/redirect/html-page.ts read the same key before the first
 * paint.
 */
const KEY = 'hop-theme';

export function storedTheme(): Theme {
  const value = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === value) ?? 'system';
}

const current = createStore<Theme>('system');

/**
 * Applies the theme, shows it in every switch, and stores it for the next visit. 'system' deletes
 * the stored choice.
 */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') {
    delete dataset['theme'];
    localStorage.removeItem(KEY);
  } else {
    dataset['theme'] = theme;
    localStorage.setItem(KEY, theme);
  }
  current.set(theme);
}

export function useTheme(): Theme {
  // The first render must equal the prerendered page.
  useEffect(() => current.set(storedTheme()), []);
  return current.use();
}
