import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ThemeSwitch } from './theme-switch.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
  delete document.documentElement.dataset['theme'];
});

const chosen = () =>
  screen
    .getAllByRole<HTMLInputElement>('radio')
    .filter(({ checked }) => checked)
    .map(({ parentElement }) => parentElement?.textContent?.trim());

it('the switch shows the scheme of the page, and applies and stores another one', () => {
  document.documentElement.dataset['theme'] = 'dark';
  render(<ThemeSwitch />);
  expect(chosen()).toEqual(['Dark']);
  fireEvent.click(screen.getByLabelText('Light'));
  expect(chosen()).toEqual(['Light']);
  expect(document.documentElement.dataset['theme']).toBe('light');
  expect(localStorage.getItem('hop-theme')).toBe('light');
});

it('without a choice the system decides', () => {
  render(<ThemeSwitch />);
  expect(chosen()).toEqual(['System']);
});
