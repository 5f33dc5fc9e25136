import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

afterEach(() => document.body.replaceChildren());

describe('a query by role', () => {
  it.each([
    ['display: none', 0],
    ['visibility: hidden', 0],
    ['color: red', 1],
  ])('finds the button inside a part with the style %s: %i', (style, found) => {
    document.body.innerHTML = `<div style="${style}"><p><button>Save</button></p></div>`;
    expect(screen.queryAllByRole('button').length).toBe(found);
  });
});

describe('getComputedStyle', () => {
  it('answers other properties as happy-dom does', () => {
    document.body.innerHTML = '<p style="direction: rtl"><b>Save</b></p>';
    const [inner] = document.querySelectorAll('b');
    expect(inner && getComputedStyle(inner).direction).toBe('rtl');
  });
});
