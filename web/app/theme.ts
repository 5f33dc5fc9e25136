import { useEffect } from 'react';
import { createStore } from '#web/ui/create-store.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/**
 * Inline scripts in index.html and worker/redirect/html-page.ts read the same key before the first
 * paint.
 */
const KEY = 'hop-theme';

export const toTheme = (text: string | undefined): Theme =>
  THEMES.find((theme) => theme === text) ?? 'system';

const current = createStore<Theme>('system');

/**
 * Applies the theme, shows it in every switch, and stores it for the next visit. 'system' deletes
 * the stored choice.
 */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  current.set(theme);
  try {
    if (theme === 'system') {
      delete dataset['theme'];
      localStorage.removeItem(KEY);
    } else {
      dataset['theme'] = theme;
      localStorage.setItem(KEY, theme);
    }
  } catch {
    // The browser blocks storage, so the choice lasts as long as the page.
  }
}

export function useTheme(): Theme {
  // The first render must equal the prerendered page. Inline scripts have read the stored theme.
  useEffect(() => current.set(toTheme(document.documentElement.dataset['theme'])), []);
  return current.use();
}
