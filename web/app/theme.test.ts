import { beforeEach, describe, expect, it } from 'vitest';
import { chooseTheme, storedTheme } from './theme.ts';

beforeEach(() => localStorage.clear());

describe('theme', () => {
  it('applies and stores a choice, and deletes it for the system', () => {
    const page = document.documentElement;
    chooseTheme('dark');
    expect(page.dataset['theme']).toBe('dark');
    expect(storedTheme()).toBe('dark');
    chooseTheme('system');
    expect(page.dataset['theme']).toBeUndefined();
    expect(localStorage).toHaveLength(0);
    expect(storedTheme()).toBe('system');
  });

  it('ignores an unknown stored value', () => {
    localStorage.setItem('hop-theme', 'purple');
    expect(storedTheme()).toBe('system');
  });
});
