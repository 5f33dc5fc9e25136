import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeToasts } from './announcer.ts';
import { lazyOr } from './lazy-or.tsx';
import { lazyPopup } from './lazy-popup.tsx';
// Its code is loaded before the first test, which would wait for it otherwise.
import './tooltip-popup.tsx';
import { Tooltips } from './tooltips.tsx';

/** For busy machines. */
const PATIENCE = { timeout: 60_000 };

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  takeToasts();
});

describe('Tooltips', () => {
  beforeEach(() => void vi.useFakeTimers());

  const show = () => {
    const { unmount } = render(
      <>
        <button data-tooltip="Copy">c</button>
        <p>text</p>
        <Tooltips />
      </>,
    );
    return { unmount, target: screen.getByText('c'), other: screen.getByText('text') };
  };
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const tooltip = () => document.querySelector('[data-tooltip-popup]')?.textContent;
  const point = (at: Element, pointerType = 'mouse') =>
    void fireEvent.pointerOver(at, { pointerType });

  it('a tooltip appears after the pointer has rested for 400 ms, and goes after 100', async () => {
    const { target, other } = show();
    point(target);
    await wait(399);
    expect(tooltip()).toBeUndefined();
    await wait(1);
    await vi.waitFor(() => expect(tooltip()).toBe('Copy'), PATIENCE);
    point(other);
    await wait(99);
    expect(tooltip()).toBe('Copy');
    point(document.querySelector('[data-tooltip-popup]') ?? other);
    await wait(1_000);
    expect(tooltip()).toBe('Copy');
    point(other);
    await wait(100);
    expect(tooltip()).toBeUndefined();
  });

  it('a finger shows no tooltip', async () => {
    const { target } = show();
    point(target, 'touch');
    await wait(1_000);
    expect(tooltip()).toBeUndefined();
  });

  it('the focus shows a tooltip if it came by the keyboard, and a press hides it', async () => {
    const { target } = show();
    const matches = vi.spyOn(target, 'matches').mockReturnValue(false);
    fireEvent.focusIn(target);
    await wait(1_000);
    expect(tooltip()).toBeUndefined();
    for (const leave of [fireEvent.pointerDown, fireEvent.focusOut]) {
      matches.mockImplementation((selector) => selector === ':focus-visible');
      fireEvent.focusIn(target);
      await wait(400);
      await vi.waitFor(() => expect(tooltip()).toBe('Copy'), PATIENCE);
      leave(target);
      await wait(0);
      expect(tooltip()).toBeUndefined();
    }
  });

  it.each(['Escape', 'Enter', ' '])('the key “%s” hides the tooltip', async (key) => {
    const { target } = show();
    point(target);
    await wait(400);
    await vi.waitFor(() => expect(tooltip()).toBe('Copy'), PATIENCE);
    fireEvent.keyDown(target, { key });
    await wait(0);
    expect(tooltip()).toBeUndefined();
  });

  it('listens no longer when it has gone, and leaves no timer', () => {
    const add = vi.spyOn(document, 'addEventListener');
    const remove = vi.spyOn(document, 'removeEventListener');
    const { unmount, target } = show();
    point(target);
    const ours = new Set(['pointerover', 'focusin', 'focusout', 'pointerdown', 'keydown']);
    const added = add.mock.calls.filter(([event]) => ours.has(event));
    unmount();
    for (const [event, listener] of added)
      expect(
        remove.mock.calls.some(([e, l]) => e === event && l === listener),
        event,
      ).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('code that does not load', () => {
  it('a popup whose code does not load closes, and says so', async () => {
    const Popup = lazyPopup<{ onClose: () => void }>(() => Promise.reject(new Error('offline')));
    const onClose = vi.fn();
    render(<Popup onClose={onClose} />);
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled(), PATIENCE);
    expect(takeToasts()[0]).toMatchObject({
      text: expect.stringMatching(/didn’t load/),
      tone: 'bad',
    });
  });

  it('a popup whose code did not load loads it again when it opens the next time', async () => {
    const load = vi.fn(async () => () => <p>the popup</p>);
    load.mockRejectedValueOnce(new Error('offline'));
    const Popup = lazyPopup<{ onClose: () => void }>(load);
    const onClose = vi.fn();
    const { unmount } = render(<Popup onClose={onClose} />);
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled(), PATIENCE);
    unmount();
    render(<Popup onClose={onClose} />);
    expect(await screen.findByText('the popup')).toBeTruthy();
  });

  it('a part whose code does not load is replaced', async () => {
    const Part = lazyOr<object>(
      () => Promise.reject(new Error('offline')),
      () => <p>instead</p>,
    );
    render(<Part />);
    expect(await screen.findByText('instead')).toBeTruthy();
  });
});
