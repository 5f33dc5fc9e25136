import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useShortcut } from './shortcuts.ts';

afterEach(cleanup);

function Page({ run, children }: { run: () => void; children?: React.ReactNode }) {
  useShortcut('c', run);
  return (
    <>
      <button type="button">Button</button>
      <input type="checkbox" aria-label="Checkbox" />
      <input aria-label="Field" />
      <textarea aria-label="Note" />
      <select aria-label="Order" />
      {children}
    </>
  );
}

const press = (target: Element, more: object = {}): boolean =>
  fireEvent.keyDown(target, { key: 'c', ...more });

describe('useShortcut', () => {
  it('runs where nobody types, and keeps the key from the page', () => {
    const run = vi.fn();
    render(<Page run={run} />);
    for (const target of [
      document.body,
      screen.getByText('Button'),
      screen.getByLabelText('Checkbox'),
    ])
      expect(press(target)).toBe(false);
    expect(run).toHaveBeenCalledTimes(3);
  });

  it.each([
    ['in a field', 'Field', {}],
    ['in a text area', 'Note', {}],
    ['in a menu of the browser', 'Order', {}],
    ['while a character is composed', 'Checkbox', { isComposing: true }],
    ['with Ctrl', 'Checkbox', { ctrlKey: true }],
    ['with ⌘', 'Checkbox', { metaKey: true }],
    ['with Alt', 'Checkbox', { altKey: true }],
    ['while it is held down', 'Checkbox', { repeat: true }],
    ['in upper case', 'Checkbox', { key: 'C' }],
  ])('leaves a key alone %s', (_, label, more) => {
    const run = vi.fn();
    render(<Page run={run} />);
    expect(press(screen.getByLabelText(label), more)).toBe(true);
    expect(run).not.toHaveBeenCalled();
  });

  it.each(['dialog', 'alertdialog', 'menu', 'listbox'])(
    'leaves keys alone while a %s is open',
    (role) => {
      const run = vi.fn();
      render(
        <Page run={run}>
          <div role={role} />
        </Page>,
      );
      press(document.body);
      expect(run).not.toHaveBeenCalled();
    },
  );

  it('the latest user of a key gets it, until it is gone', () => {
    const [outer, inner] = [vi.fn(), vi.fn()];
    const { rerender } = render(
      <Page run={outer}>
        <Page run={inner} />
      </Page>,
    );
    // Effects of children run first, so the outer one is the latest.
    press(document.body);
    expect([outer, inner].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    rerender(<Page run={inner} />);
    press(document.body);
    expect([outer, inner].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    cleanup();
    press(document.body);
    expect(inner).toHaveBeenCalledTimes(1);
  });
});
