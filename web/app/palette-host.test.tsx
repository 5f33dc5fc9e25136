import {
  act,
  cleanup,
  fireEvent,
  renderHook,
  screen,
  waitFor,
  within,
} from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { useNewLinkPanel } from '#web/shared/links/new-link.ts';
import { startSession } from '#web/shared/session/session.ts';
import { currentAddress, goBack, showPage } from '#web/testing/render-page.tsx';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { PaletteHost } from './palette-host.tsx';
import { queries } from './query-client.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { chooseTheme } from './theme.ts';

afterEach(() => {
  cleanup();
  queries.clear();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

const CTRL_K = { key: 'k', ctrlKey: true };
/** Presses a key, and returns whether the browser keeps its own meaning of it. */
const pressKey = (init: KeyboardEventInit): boolean => fireEvent.keyDown(document.body, init);
const palette = () => screen.findByRole('dialog', { name: 'Command palette' });

function show(...addresses: string[]): void {
  serveRoutes({ 'GET /api/my-urls': { urls: [], nextCursor: null, totals: {} } });
  showPage(
    <>
      <PaletteHost />
      <ThemeSwitch />
    </>,
    ...addresses,
  );
}

it('Ctrl+K or ⌘K opens the palette of a member, and no other key does', async () => {
  signInAsMember();
  show();
  const others = [{ shiftKey: true }, { altKey: true }, { metaKey: true }, { isComposing: true }];
  for (const other of others) expect(pressKey({ ...CTRL_K, ...other })).toBe(true);
  expect(pressKey({ key: 'k' })).toBe(true);
  expect(pressKey({ key: 'k', metaKey: true })).toBe(false);
  const input = await screen.findByRole('combobox');
  expect(await palette()).toBeTruthy();
  // In a dialog, the keys are those of the browser.
  expect(pressKey(CTRL_K)).toBe(true);
  fireEvent.keyDown(input, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const question = document.body.appendChild(document.createElement('p'));
  question.setAttribute('role', 'alertdialog');
  expect(pressKey(CTRL_K)).toBe(true);
  question.remove();
});

it('the list of keys closes when another page opens', async () => {
  show('/pricing', '/dashboard');
  pressKey({ key: '?' });
  await screen.findByRole('dialog', { name: 'Keys' });
  goBack();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('a visitor has no palette, but the list of keys', async () => {
  show();
  expect(pressKey(CTRL_K)).toBe(true);
  pressKey({ key: '?' });
  const keys = await screen.findByRole('dialog', { name: 'Keys' });
  expect([...keys.querySelectorAll('h3, dl > div')].map((row) => row.textContent)).toEqual([
    'Everywhere',
    '⌘KSearch links and commands (Ctrl K on Windows and Linux)',
    'cCreate a link',
    '?Show this list',
    'EscClose a dialog or a menu',
    'My URLs',
    '/Search',
    'jkNext and previous link, like the arrow keys',
    'EnterOpen the analytics of the link',
    'xSelect the link',
    'eEdit the link',
    'EscClear the selection',
    'Analytics',
    'dShow the last 24 hours',
    'wShow the last 7 days',
    'mShow the last 30 days',
  ]);
  fireEvent.click(screen.getByText('Close'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('a period replaces the dates of a report, and keeps its other settings', async () => {
  signInAsMember();
  show('/analytics/abc?from=2026-11-01&to=2026-11-02&compare=1');
  pressKey(CTRL_K);
  await palette();
  fireEvent.click(await screen.findByRole('option', { name: 'Show the last 7 days' }));
  await waitFor(() => expect(currentAddress()).toBe('/analytics/abc?compare=1&range=7d'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('each command of the palette does what it says, and every switch shows a theme', async () => {
  signInAsMember();
  show();
  const run = async (name: RegExp): Promise<void> => {
    pressKey(CTRL_K);
    fireEvent.click(await screen.findByRole('option', { name }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  const pages = [
    ['Go to My URLs', '/dashboard'],
    ['Go to Analytics', '/analytics'],
    ['Import links', '/links/import'],
    ['Go to Settings', '/settings'],
    ['Go to API keys', '/settings/api'],
    ['Go to Webhooks', '/settings/webhooks'],
    ['Compare plans', '/pricing'],
  ] as const;
  pressKey(CTRL_K);
  await screen.findByRole('option', { name: /^Show keys/ });
  const labels = screen.getAllByRole('option').map((option) => option.textContent);
  expect(labels).toEqual([
    'Create linkc',
    ...pages.map(([name]) => name),
    'Use the light theme',
    'Use the dark theme',
    'Use the theme of the system',
    'Show keys?',
  ]);
  fireEvent.click(screen.getByRole('option', { name: /^Show keys/ }));
  fireEvent.click(within(await screen.findByRole('dialog', { name: 'Keys' })).getByText('Close'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  for (const [name, address] of pages) {
    await run(new RegExp(`^${name}`));
    expect(currentAddress()).toBe(address);
  }
  await run(/^Create link/);
  expect(renderHook(useNewLinkPanel).result.current).toBe('open');
  config.domains = true;
  await run(/^Go to Domains/);
  config.domains = false;
  expect(currentAddress()).toBe('/settings/domains');
  // Periods are those of reports.
  pressKey(CTRL_K);
  await screen.findByRole('option', { name: /^Show keys/ });
  expect(screen.queryByRole('option', { name: /^Show the last/ })).toBeNull();
  fireEvent.click(screen.getByRole('option', { name: 'Use the dark theme' }));
  const { checked } = screen.getByLabelText<HTMLInputElement>('Dark');
  expect([checked, document.documentElement.dataset['theme']]).toEqual([true, 'dark']);
  act(() => chooseTheme('system'));
});
