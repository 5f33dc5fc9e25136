import { beforeEach, describe, expect, it } from 'vitest';
import { keepFocus } from './keep-focus.ts';

const PAGE = `<a href="/terms">Terms</a> <input type="search" placeholder="Search">
  <button>Copy</button> <button>Copy</button> <a href="/terms">Terms</a>
  <select aria-label="Order"></select> <details><summary>Menu</summary></details>
  <input type="radio" aria-label="Dark" value="dark">`;
const root = document.createElement('div');
const next = document.createElement('div');

/** Focuses the nth element of the page, then replaces the page. */
function replaceWithFocusOn(nth: number): void {
  root.querySelectorAll<HTMLElement>('a, button, input')[nth]?.focus();
  const restore = keepFocus(root, next);
  root.replaceWith(next);
  restore();
}

beforeEach(() => {
  root.innerHTML = PAGE;
  next.innerHTML = `<button>New</button>${PAGE}`;
  document.body.replaceChildren(root);
});

describe('keepFocus', () => {
  it('gives the focus to the element in the same place among equal ones', () => {
    replaceWithFocusOn(3);
    expect(document.activeElement).toBe(next.querySelectorAll('button')[2]);
  });

  it('keeps the text of the field that has the focus', () => {
    const field = root.querySelector('input');
    if (field !== null) field.value = 'typed early';
    replaceWithFocusOn(1);
    expect(document.activeElement).toBe(next.querySelector('input'));
    expect(next.querySelector('input')?.value).toBe('typed early');
  });

  it.each(['select', 'summary', '[type=radio]'])('finds the same %s', (selector) => {
    next.querySelector('[type=radio]')?.setAttribute('value', 'new');
    root.querySelector<HTMLElement>(selector)?.focus();
    const restore = keepFocus(root, next);
    root.replaceWith(next);
    restore();
    expect(document.activeElement).toBe(next.querySelector(selector));
    expect(next.querySelector<HTMLInputElement>('[type=radio]')?.value).toBe('new');
  });

  it('moves no focus if nothing on the page had it', () => {
    const restore = keepFocus(root, next);
    root.replaceWith(next);
    restore();
    expect(document.activeElement).toBe(document.body);
  });
});
