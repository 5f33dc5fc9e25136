import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Menu } from './menu.tsx';

afterEach(cleanup);

const onEdit = vi.fn();
function show() {
  render(
    <MemoryRouter>
      <Menu
        label="More actions"
        items={[
          { label: 'Edit link', onSelect: onEdit },
          { label: 'Settings', to: '/settings' },
          { label: 'Restore link', disabled: 'Only in the trash.', onSelect: onEdit },
          { label: 'Delete link', danger: true, onSelect: () => undefined },
        ]}
      >
        …
      </Menu>
    </MemoryRouter>,
  );
  return screen.getByRole('button', { name: 'More actions' });
}
const item = (name: string) => screen.getByRole('menuitem', { name });

describe('Menu', () => {
  it.each([
    ['Enter', 'Edit link', (button: HTMLElement) => fireEvent.click(button, { detail: 0 })],
    [
      'ArrowDown',
      'Edit link',
      (button: HTMLElement) => fireEvent.keyDown(button, { key: 'ArrowDown' }),
    ],
    [
      'ArrowUp',
      'Delete link',
      (button: HTMLElement) => fireEvent.keyDown(button, { key: 'ArrowUp' }),
    ],
  ])('opens by %s with the focus on %s', async (_, name, open) => {
    const button = show();
    open(button);
    await screen.findByRole('menu', { name: 'More actions' });
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(document.getElementById(button.getAttribute('aria-controls') ?? '')).toBe(
      screen.getByRole('menu'),
    );
    await waitFor(() => expect(document.activeElement).toBe(item(name)));
  });

  it('moves the focus to the item whose first letters are typed', async () => {
    fireEvent.keyDown(show(), { key: 'ArrowDown' });
    await screen.findByRole('menu');
    await waitFor(() => expect(document.activeElement).toBe(item('Edit link')));
    fireEvent.keyDown(item('Edit link'), { key: 'd' });
    await waitFor(() => expect(document.activeElement).toBe(item('Delete link')));
  });

  it('runs an action once and closes', async () => {
    const button = show();
    fireEvent.click(button, { detail: 1 });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit link' }));
    expect(onEdit).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(button.getAttribute('aria-expanded')).toBe('false');
  });

  it('items that open pages are real links, and close the menu', async () => {
    fireEvent.click(show(), { detail: 1 });
    const link = await screen.findByRole('menuitem', { name: 'Settings' });
    expect(link.getAttribute('href')).toBe('/settings');
    fireEvent.click(link);
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  });

  it('an item that cannot be chosen says why, and does nothing', async () => {
    onEdit.mockClear();
    fireEvent.click(show(), { detail: 1 });
    fireEvent.click(await screen.findByText('Only in the trash.'));
    expect(onEdit).not.toHaveBeenCalled();
    expect(screen.getByRole('menu')).toBeTruthy();
  });

  it('a menu closes by its button and by Escape, which returns the focus', async () => {
    const button = show();
    fireEvent.click(button, { detail: 1 });
    await screen.findByRole('menu');
    fireEvent.click(button, { detail: 1 });
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    fireEvent.keyDown(button, { key: 'ArrowDown' });
    await waitFor(() => expect(document.activeElement).toBe(item('Edit link')));
    fireEvent.keyDown(item('Edit link'), { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(button));
  });
});
