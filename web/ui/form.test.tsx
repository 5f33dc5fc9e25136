import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createPortal } from 'react-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ErrorLine, type Retry } from './error-line.tsx';
import { ErrorText } from './error-text.tsx';
import { FailedState } from './failed-state.tsx';
import { Form } from './form.tsx';
import { OFFLINE } from './offline.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const goOffline = (): void =>
  void vi.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(false);
function goOnline(): void {
  vi.restoreAllMocks();
  act(() => void window.dispatchEvent(new Event('online')));
}

function show(error: Error | null) {
  const onSubmit = vi.fn<() => void>();
  const { rerender } = render(<FormWith error={error} onSubmit={onSubmit} />);
  return {
    onSubmit,
    show: (next: Error | null) => rerender(<FormWith error={next} onSubmit={onSubmit} />),
  };
}
const FormWith = ({ error, onSubmit }: { error: Error | null; onSubmit: () => void }) => (
  <Form error={error} onSubmit={onSubmit}>
    <ErrorText>{error?.message}</ErrorText>
    <button>Save link</button>
  </Form>
);

it('a form in a dialog that is opened from a form is sent alone', () => {
  const [outer, inner] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(
    <Form onSubmit={outer}>
      {createPortal(<Form aria-label="Save as template" onSubmit={inner} />, document.body)}
    </Form>,
  );
  fireEvent.submit(screen.getByRole('form', { name: 'Save as template' }));
  expect([outer.mock.calls.length, inner.mock.calls.length]).toEqual([0, 1]);
});

it('the first field that the server rejects gets the focus, once for each error', () => {
  const form = (error: Error | null) => (
    <Form error={error} onSubmit={() => undefined}>
      <input aria-label="Note" />
      <input aria-label="Code" aria-invalid={error !== null} />
      <input aria-label="Tags" aria-invalid={error !== null} />
    </Form>
  );
  const { rerender } = render(form(null));
  const taken = new Error('This code is taken.');
  rerender(form(taken));
  expect(document.activeElement).toBe(screen.getByLabelText('Code'));
  screen.getByLabelText('Note').focus();
  rerender(form(taken));
  expect(document.activeElement).toBe(screen.getByLabelText('Note'));
});

describe('a submit without a network', () => {
  it('says that it is repeated, and is repeated once when the network is back', () => {
    const form = show(null);
    const element = document.querySelector('form') ?? document.body;
    // The browser itself sends nothing.
    expect(fireEvent.submit(element)).toBe(false);
    form.show(new Error(OFFLINE));
    expect(screen.getByRole('alert').textContent).toBe(
      'You’re offline. We’ll send this when your connection is back.',
    );
    goOnline();
    expect(form.onSubmit).toHaveBeenCalledTimes(2);
    form.show(null);
    goOnline();
    expect(form.onSubmit).toHaveBeenCalledTimes(2);
  });

  it('another error repeats nothing, because the server may have received it', () => {
    const { onSubmit } = show(new Error('The server returned an error.'));
    goOnline();
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('a dialog that asks for confirmation repeats it, too', async () => {
    const onConfirm = vi.fn<() => void>();
    render(
      <ConfirmDialog
        open
        title="Revoke this key?"
        action="Revoke key"
        error={OFFLINE}
        onConfirm={onConfirm}
        onClose={() => undefined}
      >
        It stops working.
      </ConfirmDialog>,
    );
    expect((await screen.findByRole('alert')).textContent).toContain('We’ll send this');
    goOnline();
    expect(onConfirm).toHaveBeenCalledOnce();
  });
});

const FailedList = ({ message, query }: { message: string; query: Retry }) => (
  <FailedState title={message} query={query} />
);

describe('a query that failed', () => {
  it.each([
    [
      'the line of an error',
      ErrorLine,
      'Not loaded. You’re offline. This loads when your connection is back.',
    ],
    [
      'a list that failed',
      FailedList,
      'Not loaded.You’re offline. This loads when your connection is back.',
    ],
  ])('%s says that it loads again with the network, and does', (_, Failed, text) => {
    const refetch = vi.fn();
    goOffline();
    render(<Failed message="Not loaded." query={{ refetch }} />);
    expect(screen.getByRole('alert').textContent).toContain(text);
    goOnline();
    expect(refetch).toHaveBeenCalledOnce();
    expect(screen.getByRole('alert').textContent).not.toContain('offline');
  });

  it('waits for a person where a retry reloads the page', () => {
    const refetch = vi.fn();
    render(<ErrorLine message="Not loaded." query={{ refetch, isManual: true }} />);
    goOnline();
    expect(refetch).not.toHaveBeenCalled();
  });
});
