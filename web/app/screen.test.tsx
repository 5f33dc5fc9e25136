import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ErrorBoundary } from './error-page.tsx';
import { Screen } from './screen.tsx';
import type { LoadScreen } from './screen-loading.ts';

const reload = vi.fn();
beforeEach(() => void vi.spyOn(window.location, 'reload').mockImplementation(reload));

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  reload.mockClear();
  sessionStorage.clear();
});

const show = (load: LoadScreen): void =>
  void render(
    <MemoryRouter>
      <Screen load={load} />
    </MemoryRouter>,
  );
const missing = () => Promise.reject(new Error('404'));

it('a missing file reloads the page once, and then shows Retry', async () => {
  show(missing);
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(screen.queryByRole('alert')).toBeNull();
  cleanup();
  let isThere = false;
  show(() => (isThere ? Promise.resolve(() => <p>the page</p>) : missing()));
  expect(await screen.findByText('This page didn’t load')).toBeTruthy();
  expect(reload).toHaveBeenCalledTimes(1);
  isThere = true;
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('the page')).toBeTruthy();
});

it('a page does not reload offline, where that would lose it', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  show(() => missing());
  expect(await screen.findByText('This page didn’t load')).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
});

it('a page does not reload because its code takes longer than two minutes', async () => {
  vi.useFakeTimers();
  show(() => new Promise(() => undefined));
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  vi.useRealTimers();
  expect(screen.getByText('This page didn’t load')).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
});

it('a page that did not load offline loads when the network is back', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  let isThere = false;
  show(() => (isThere ? Promise.resolve(() => <p>the page</p>) : missing()));
  expect(await screen.findByText('This page didn’t load')).toBeTruthy();
  isThere = true;
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('the page')).toBeTruthy();
});

it('a screen that throws is replaced by an error, and Retry renders it again', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  let throws = true;
  const Broken = () => {
    if (throws) throw new Error('a bug');
    return <p>works again</p>;
  };
  render(
    <MemoryRouter>
      <ErrorBoundary>
        <Broken />
      </ErrorBoundary>
    </MemoryRouter>,
  );
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong');
  throws = false;
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(screen.getByText('works again')).toBeTruthy();
});
