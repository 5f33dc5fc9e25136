import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { Dialog } from './dialog.tsx';

afterEach(cleanup);

function Page() {
  const [open, setOpen] = useState(false);
  const [removed, setRemoved] = useState(false);
  return (
    <>
      <h1 tabIndex={-1}>My URLs</h1>
      {!removed && <button onClick={() => setOpen(true)}>Rename link</button>}
      <Dialog open={open} onClose={() => setOpen(false)} title="Rename link">
        <input aria-label="New code" />
        <button
          onClick={() => {
            setRemoved(true);
            setOpen(false);
          }}
        >
          Delete link
        </button>
      </Dialog>
    </>
  );
}

const type = (text: string): void =>
  void fireEvent.change(screen.getByLabelText('New code'), { target: { value: text } });
const pressEscape = (): void =>
  void fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
function pressOutside(): void {
  const backdrop = document.querySelector('[data-dialog-backdrop]') ?? document.body;
  for (const event of ['pointerDown', 'mouseDown', 'pointerUp', 'mouseUp', 'click'] as const)
    fireEvent[event](backdrop);
}

async function openDialog(): Promise<HTMLElement> {
  render(<Page />);
  const opener = screen.getByRole('button', { name: 'Rename link' });
  opener.focus();
  fireEvent.click(opener);
  const field = await screen.findByLabelText('New code');
  await waitFor(() => expect(document.activeElement).toBe(field));
  return opener;
}

describe('Dialog', () => {
  it('returns the focus to what opened it', async () => {
    const opener = await openDialog();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  it.each([
    ['Escape', pressEscape],
    ['a click outside', pressOutside],
  ])('closes by %s while nothing has changed', async (_name, close) => {
    await openDialog();
    type('spring');
    type('');
    close();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('stays at a click outside once something has changed', async () => {
    await openDialog();
    type('spring');
    pressOutside();
    expect(screen.getByLabelText('New code')).toHaveProperty('value', 'spring');
    expect(screen.queryByText('Discard changes?')).toBeNull();
  });

  it.each([
    ['Escape', pressEscape, () => fireEvent.click(screen.getByText('Keep editing'))],
    [
      'its close button',
      () => fireEvent.click(screen.getByRole('button', { name: 'Close' })),
      pressEscape,
    ],
  ])('asks at %s whether to discard what has changed', async (_name, close, keepEditing) => {
    await openDialog();
    type('spring');
    close();
    const keep = await screen.findByText('Keep editing');
    await waitFor(() => expect(document.activeElement).toBe(keep.closest('button')));
    keepEditing();
    await waitFor(() => expect(screen.queryByText('Discard changes?')).toBeNull());
    expect(screen.getByLabelText('New code')).toHaveProperty('value', 'spring');
    close();
    fireEvent.click(await screen.findByText('Discard changes'));
    await waitFor(() => expect(screen.queryByLabelText('New code')).toBeNull());
  });

  it('moves the focus to the heading if what opened it has gone', async () => {
    await openDialog();
    fireEvent.click(screen.getByRole('button', { name: 'Delete link' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading')));
  });
});
