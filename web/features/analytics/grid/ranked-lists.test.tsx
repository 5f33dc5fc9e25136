import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TopRows } from './ranked-lists.tsx';

afterEach(cleanup);

const makeRows = (count: number, onChoose: () => void) =>
  Array.from({ length: count }, (_, i) => ({
    key: `v${i}`,
    text: `value ${i}`,
    clicks: 100 - i,
    chosen: false,
    onChoose,
  }));

describe('TopRows', () => {
  it('shows seven rows, and all of them in a dialog with a search', async () => {
    const onChoose = vi.fn<() => void>();
    render(<TopRows rows={makeRows(40, onChoose)} total={1_000} title="Cities" />);
    expect(screen.getAllByRole('listitem').length).toBe(7);
    const all = screen.getByRole('button', { name: 'View all cities' });
    expect(all.getAttribute('aria-haspopup')).toBe('dialog');
    all.click();
    const dialog = within(await screen.findByRole('dialog', { name: 'Cities' }));
    expect(dialog.getAllByRole('listitem').length).toBe(40);
    fireEvent.change(dialog.getByRole('searchbox'), { target: { value: 'Value 39' } });
    expect(await dialog.findByText('1 row found')).toBeTruthy();
    fireEvent.change(dialog.getByRole('searchbox'), { target: { value: 'value 40' } });
    expect(await dialog.findByText('Nothing found')).toBeTruthy();
    fireEvent.change(dialog.getByRole('searchbox'), { target: { value: 'value 39' } });
    expect(await dialog.findByText('1 row found')).toBeTruthy();
    dialog.getByRole('button', { name: /^value 39/ }).click();
    expect(onChoose).toHaveBeenCalledOnce();
  });

  it.each([
    [15, false],
    [16, true],
  ])('the dialog of %i rows has a search: %s', async (count, hasSearch) => {
    render(<TopRows rows={makeRows(count, () => {})} total={1_000} title="Cities" />);
    screen.getByRole('button', { name: 'View all cities' }).click();
    const dialog = within(await screen.findByRole('dialog', { name: 'Cities' }));
    expect(dialog.queryByRole('searchbox') !== null).toBe(hasSearch);
    fireEvent.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('finds rows by their detail, and closes when one of them is chosen', async () => {
    const rows = makeRows(20, () => {}).map((row, at) =>
      Object.assign(row, { detail: `country ${at}` }, at === 0 && { onChoose: null }),
    );
    render(<TopRows rows={rows} total={1_000} title="Cities" />);
    screen.getByRole('button', { name: 'View all cities' }).click();
    const dialog = within(await screen.findByRole('dialog', { name: 'Cities' }));
    // A row that is no filter cannot be pressed here either.
    expect(dialog.queryByRole('button', { name: /^value 0 / })).toBeNull();
    fireEvent.change(dialog.getByRole('searchbox'), { target: { value: 'country 17' } });
    await dialog.findByText('1 row found');
    fireEvent.click(dialog.getByRole('button', { name: /^value 17/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('a list of seven rows has no dialog', () => {
    render(<TopRows rows={makeRows(7, () => {})} total={700} title="Cities" />);
    expect(screen.getAllByRole('listitem').length).toBe(7);
    expect(screen.queryByRole('button', { name: 'View all cities' })).toBeNull();
  });
});
