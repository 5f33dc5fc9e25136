import { beforeEach, expect, test } from 'vitest';
import { chooseTheme, storedTheme } from './theme.ts';

beforeEach(() => localStorage.clear());

test('a choice is shown and kept; the system is the absence of one', () => {
  const page = document.createElement('html');
  chooseTheme('dark', page, localStorage);
  expect(page.dataset['theme']).toBe('dark');
  expect(storedTheme(localStorage)).toBe('dark');
  chooseTheme('system', page, localStorage);
  expect(page.dataset['theme']).toBeUndefined();
  expect(storedTheme(localStorage)).toBe('system');
  localStorage.setItem('hop-theme', 'purple');
  expect(storedTheme(localStorage)).toBe('system');
});
