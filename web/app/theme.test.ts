import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseTheme, toTheme, useTheme } from './theme.ts';

beforeEach(() => localStorage.clear());

const shown = () => renderHook(useTheme).result.current;

describe('theme', () => {
  it('applies and stores a choice, and deletes it for the system', () => {
    const page = document.documentElement;
    act(() => chooseTheme('dark'));
    expect([page.dataset['theme'], localStorage.getItem('hop-theme')]).toEqual(['dark', 'dark']);
    expect(shown()).toBe('dark');
    act(() => chooseTheme('system'));
    expect(page.dataset['theme']).toBeUndefined();
    expect(localStorage).toHaveLength(0);
    expect(shown()).toBe('system');
  });

  it('ignores a text that names no theme', () => {
    expect([toTheme('purple'), toTheme(undefined)]).toEqual(['system', 'system']);
  });

  it('a theme lasts as long as the page if the browser blocks storage', () => {
    const storage = vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('Denied.', 'SecurityError');
    });
    expect(shown()).toBe('system');
    act(() => chooseTheme('dark'));
    expect(shown()).toBe('dark');
    act(() => chooseTheme('system'));
    expect(shown()).toBe('system');
    storage.mockRestore();
  });
});
