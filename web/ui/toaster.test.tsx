import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { announce, takeToasts, toast } from './announcer.ts';
import { PlainToasts, Toaster } from './toaster.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const announced = () => document.querySelector('[aria-live="polite"]')?.textContent;

/** 1 rem above the lower edge, or above the bar of selected links. */
const AT_BOTTOM = 'bottom-[calc(1rem+var(--bar-space,0px))]';

describe('Toaster', () => {
  it('announces a repeated text again', () => {
    render(<Toaster />);
    act(() => announce('Copied!'));
    expect(announced()).toBe('Copied!');
    act(() => announce('Copied!'));
    expect(announced()).toBe('Copied!\u00a0');
  });

  it('a message is good news unless told otherwise', () => {
    toast('Saved.');
    toast('Failed.', { tone: 'bad' });
    expect(takeToasts().map(({ tone }) => tone)).toEqual(['good', 'bad']);
  });

  it('an error replaces the one before it, and good news stays', async () => {
    render(<Toaster />);
    act(() => toast('Link saved.'));
    act(() => toast('That did not work.', { tone: 'bad' }));
    await screen.findByText('That did not work.');
    act(() => toast('Undo failed.', { tone: 'bad' }));
    expect(await screen.findByText('Undo failed.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('That did not work.')).toBeNull());
    expect(screen.getByText('Link saved.')).toBeTruthy();
  });

  it('without the code of toasts, the last message shows for eight seconds', () => {
    vi.useFakeTimers();
    render(<PlainToasts />);
    act(() => toast('Link saved.'));
    act(() => void vi.advanceTimersByTime(7_999));
    act(() => toast('Link deleted.'));
    act(() => void vi.advanceTimersByTime(7_999));
    expect(screen.getByRole('alert').textContent).toBe('Link deleted.');
    act(() => void vi.advanceTimersByTime(1));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(takeToasts()).toEqual([]);
  });

  it('an action closes its message, and runs once', async () => {
    const onSelect = vi.fn();
    render(<Toaster />);
    act(() => toast('Link deleted.', { action: { label: 'Undo', onSelect } }));
    fireEvent.click(await screen.findByText('Undo'));
    await waitFor(() => expect(screen.queryByText('Link deleted.')).toBeNull());
    expect(onSelect).toHaveBeenCalledOnce();
  });

  it('shows a message with its note for five seconds', async () => {
    render(<Toaster />);
    act(() => toast('Loading the code.'));
    await screen.findByText('Loading the code.');
    // Frames stay real: the library would wait forever for a frame that a later test's timers never
    // run.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    act(() => toast('Link saved.', { note: 'It redirects within a minute.' }));
    const message = screen.getByText('Link saved.').closest('[role="alert"]');
    expect(message?.textContent).toBe('Link saved.It redirects within a minute.');
    await act(() => vi.advanceTimersByTimeAsync(4_900));
    expect(screen.queryByText('Link saved.')).not.toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(screen.queryByText('Link saved.')).toBeNull();
  });

  it('shows a message with an action for ten seconds', async () => {
    render(<Toaster />);
    act(() => toast('Loading the code.'));
    await screen.findByText('Loading the code.');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    act(() => toast('Link deleted.', { action: { label: 'Undo', onSelect: () => undefined } }));
    await act(() => vi.advanceTimersByTimeAsync(9_900));
    expect(screen.queryByText('Link deleted.')).not.toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(screen.queryByText('Link deleted.')).toBeNull();
  });

  it('shows messages from before it was there, and removes a dismissed one', async () => {
    toast('First.');
    render(<Toaster />);
    act(() => toast('Second.', { tone: 'bad' }));
    await screen.findByText('First.');
    const [dismiss] = screen.getAllByRole('button', { name: 'Dismiss' });
    const texts = () => screen.getAllByRole('alert').map((item) => item.textContent);
    expect(texts()).toHaveLength(2);
    if (dismiss !== undefined) fireEvent.click(dismiss);
    await waitFor(() => expect(texts()).toHaveLength(1));
  });

  it.each([
    ['at the bottom, above a bar', 200, AT_BOTTOM],
    [
      'at the top, where it would cover the button that was pressed',
      window.innerHeight - 20,
      'top-18',
    ],
  ])('shows a message %s', async (_, bottom, place) => {
    render(
      <>
        <button type="button">Save</button>
        <Toaster />
      </>,
    );
    const button = screen.getByRole('button', { name: 'Save' });
    vi.spyOn(button, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, bottom - 36, 80, 36));
    button.focus();
    act(() => toast('Saved.'));
    await screen.findByText('Saved.');
    expect(screen.getByRole('region', { name: 'Notifications' }).className).toContain(place);
  });

  it('shows a message at the top over a dialog at the bottom', async () => {
    const role = 'dialog';
    render(
      <>
        <div role={role} data-testid="low" />
        <Toaster />
      </>,
    );
    const bottom = new DOMRect(0, window.innerHeight - 60, 800, 50);
    vi.spyOn(screen.getByTestId('low'), 'getBoundingClientRect').mockReturnValue(bottom);
    act(() => toast('Saved.'));
    await screen.findByText('Saved.');
    expect(screen.getByRole('region', { name: 'Notifications' }).className).toContain('top-18');
  });

  it('shows a message at the bottom when nothing has the focus', async () => {
    render(<Toaster />);
    vi.spyOn(document.body, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 800, 5_000));
    act(() => toast('Saved.'));
    await screen.findByText('Saved.');
    expect(screen.getByRole('region', { name: 'Notifications' }).className).toContain(AT_BOTTOM);
  });
});
