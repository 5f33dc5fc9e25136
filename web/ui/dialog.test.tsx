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

  it('moves the focus to the heading if what opened it has gone', async () => {
    await openDialog();
    fireEvent.click(screen.getByRole('button', { name: 'Delete link' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading')));
  });
});
