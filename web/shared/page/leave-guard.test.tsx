import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Link, MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { internalTarget, LeaveGuard } from './leave-guard.tsx';

afterEach(cleanup);

/** Clicks the link in `html` and returns what a listener on the document reports. */
function clickOn(html: string, init: MouseEventInit = {}): string | null {
  const box = document.createElement('div');
  box.innerHTML = html;
  document.body.append(box);
  let target: string | null = 'no event';
  const listen = (event: MouseEvent): void => {
    event.preventDefault();
    target = internalTarget(event, 'https://hop.example/admin/blogs?edit=1');
  };
  document.addEventListener('click', listen, true);
  box
    .querySelector('.at')
    ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }));
  document.removeEventListener('click', listen, true);
  box.remove();
  return target;
}

describe('internalTarget', () => {
  it('returns the path that a click on a link would open', () => {
    expect(clickOn('<a class="at" href="https://hop.example/pricing?a=b#c">x</a>')).toBe(
      '/pricing?a=b#c',
    );
    expect(clickOn('<a href="https://hop.example/pricing"><b class="at">x</b></a>')).toBe(
      '/pricing',
    );
    expect(clickOn('<a class="at" target="_self" href="https://hop.example/pricing">x</a>')).toBe(
      '/pricing',
    );
  });

  it.each([
    ['no link', '<b class="at">x</b>', {}],
    ['another site', '<a class="at" href="https://other.example/">x</a>', {}],
    ['a new tab', '<a class="at" target="_blank" href="https://hop.example/pricing">x</a>', {}],
    ['a download', '<a class="at" download href="https://hop.example/pricing">x</a>', {}],
    [
      'the same page',
      '<a class="at" href="https://hop.example/admin/blogs?edit=1#content">x</a>',
      {},
    ],
    ['the middle button', '<a class="at" href="https://hop.example/pricing">x</a>', { button: 1 }],
    ['Ctrl', '<a class="at" href="https://hop.example/pricing">x</a>', { ctrlKey: true }],
    ['Cmd', '<a class="at" href="https://hop.example/pricing">x</a>', { metaKey: true }],
    ['Alt', '<a class="at" href="https://hop.example/pricing">x</a>', { altKey: true }],
    ['Shift', '<a class="at" href="https://hop.example/pricing">x</a>', { shiftKey: true }],
  ])('returns null for %s', (_case, html, init) => {
    expect(clickOn(html, init)).toBeNull();
  });
});

describe('LeaveGuard', () => {
  function CurrentPath() {
    return <p>at {useLocation().pathname}</p>;
  }
  function show(active: boolean) {
    window.history.replaceState(null, '', '/admin/blogs');
    const onLeave = vi.fn();
    render(
      <MemoryRouter initialEntries={['/admin/blogs']}>
        <LeaveGuard active={active} onLeave={onLeave}>
          Your changes are not saved.
        </LeaveGuard>
        <Link to="/pricing">Pricing</Link>
        <CurrentPath />
      </MemoryRouter>,
    );
    return onLeave;
  }

  it('asks before a link leaves the page, and leaves after the confirmation', async () => {
    const onLeave = show(true);
    fireEvent.click(screen.getByText('Pricing'));
    expect(screen.getByText('at /admin/blogs')).toBeTruthy();
    fireEvent.click(await screen.findByText('Discard changes'));
    expect(onLeave).toHaveBeenCalledTimes(1);
    expect(screen.getByText('at /pricing')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('stays on the page, and asks again the next time', async () => {
    const onLeave = show(true);
    for (let time = 0; time < 2; time++) {
      fireEvent.click(screen.getByText('Pricing'));
      fireEvent.click(await screen.findByText('Cancel'));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    }
    expect(screen.getByText('at /admin/blogs')).toBeTruthy();
    expect(onLeave).not.toHaveBeenCalled();
  });

  it('lets links through while there is nothing to save', () => {
    show(false);
    fireEvent.click(screen.getByText('Pricing'));
    expect(screen.getByText('at /pricing')).toBeTruthy();
  });

  it('makes the browser ask before the tab closes', () => {
    show(true);
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
    cleanup();
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
  });
});
