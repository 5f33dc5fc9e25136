import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { lazyField } from './lazy-field.tsx';

afterEach(() => vi.restoreAllMocks());

/** A field whose code fails to load the first time. */
function fieldThatFailsOnce() {
  const load = vi.fn(async () => () => <p>the field</p>);
  load.mockRejectedValueOnce(new Error('No network.'));
  return lazyField<object>(load);
}

it('a field whose code did not load offers Retry, which loads it', async () => {
  const Field = fieldThatFailsOnce();
  render(<Field />);
  fireEvent.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('the field')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a field that did not load offline loads when the network is back', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const Field = fieldThatFailsOnce();
  render(<Field />);
  expect((await screen.findByRole('alert')).textContent).toContain('You’re offline. This loads');
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('the field')).toBeTruthy();
});
