import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { askBeforeUnload, holdsPage, useUnsavedGuard } from './unsaved-changes.ts';

afterEach(cleanup);

/** Shows fields on a page without dialogs, and returns the first one. */
function show(html: string): HTMLInputElement {
  const Guarded = () => {
    const [guard] = useUnsavedGuard();
    return <div ref={guard} dangerouslySetInnerHTML={{ __html: html }} />;
  };
  const field = render(<Guarded />).container.querySelector<HTMLInputElement>('[name="f"]');
  if (field === null) throw new Error('There is no field.');
  return field;
}

it.each([
  ['a text', '<input name="f" type="text">', true],
  ['a menu that applies at once', '<select name="f"><option>a<option>b</select>', false],
  ['a menu of a form', '<form><select name="f"><option>a<option>b</select></form>', true],
  ['a search', '<form><input name="f" type="search"></form>', false],
])('a change of %s holds the page: %s', (_, html, holds) => {
  const field = show(html);
  expect(holdsPage()).toBe(false);
  field.value = 'b';
  expect(holdsPage()).toBe(holds);
  cleanup();
  expect(holdsPage()).toBe(false);
});

it.each(['checkbox', 'radio'])('a change of a %s holds the page', (type) => {
  const field = show(`<form><input name="f" type="${type}"></form>`);
  field.checked = true;
  expect(holdsPage()).toBe(true);
});

// In some browsers a press gives a checkbox no focus.
it.each([
  ['focus', fireEvent.focusIn],
  ['press', fireEvent.pointerDown],
])('a field that appears later is compared with its value at the first %s', (_, begin) => {
  const form = show('<form><input name="f"></form>').form;
  const later = document.createElement('input');
  later.value = 'stored';
  form?.append(later);
  begin(later);
  expect(holdsPage()).toBe(false);
  later.value = 'typed';
  expect(holdsPage()).toBe(true);
});

it.each([
  ['<input name="f">', true],
  ['<textarea name="f"></textarea>', false],
])('closing the tab discards %s without a question: %s', (html, isQuiet) => {
  askBeforeUnload();
  const field = show(`<form>${html}</form>`);
  field.value = 'typed';
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(isQuiet);
});
