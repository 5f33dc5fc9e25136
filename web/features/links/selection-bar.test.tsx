import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { makeLink } from '#web/testing/make-link.ts';
import { respondWith } from '#web/testing/respond-with.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { SelectionBar, useActions } from './selection-bar.tsx';

const link = makeLink();

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Bar() {
  const [selected, setSelected] = useState([link]);
  const actions = useActions(() => setSelected([]));
  return (
    selected.length > 0 && (
      <SelectionBar
        selected={selected}
        shown={1}
        actions={actions}
        onSelect={() => setSelected([])}
      />
    )
  );
}

it('the dialog of an action shows its error and stays open for another attempt', async () => {
  const error = 'The server is busy. Try again in a minute.';
  respondWith([503, { error, code: 'busy' }], [200, { lines: [{ code: 'abc', ok: true }] }]);
  showPage(<Bar />);
  await press('Actions for the selected links');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Disable links' }));
  const dialog = await screen.findByRole('dialog', { name: 'Disable 1 link?' });
  await press('Disable 1 link');
  await waitFor(() => expect(dialog.textContent).toContain(error));
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  await press('Disable 1 link');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
