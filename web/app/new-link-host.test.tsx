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
import {
  closeNewLink,
  expectNewLink,
  setCreatedCode,
  useCreatedCode,
} from '#web/shared/links/new-link.ts';
import { NewLinkButton } from '#web/shared/links/new-link-button.tsx';
import { startSession } from '#web/shared/session/session.ts';
import { makeLink } from '#web/testing/make-link.ts';
import { currentAddress, currentState, press, showPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { NewLinkHost } from './new-link-host.tsx';
import { queries } from './query-client.tsx';

afterEach(() => {
  cleanup();
  act(closeNewLink);
  setCreatedCode(null);
  queries.clear();
  takeToasts();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

const LINK = {
  shortUrl: 'https://hop.example/abc',
  code: 'abc',
  longUrl: 'https://example.com/',
  created_at: '2026-11-21T00:00:00Z',
};
const ANSWERS = {
  'GET /api/subscription': { plan_type: 'free', monthly_limit: 25, current_usage: 1 },
  'GET /api/qr/abc': { qrCode: 'data:image/svg+xml,<svg/>' },
  'GET /api/tags': { tags: [] },
  'GET /api/utm-templates': { templates: [] },
  'POST /api/shorten': () => Response.json(LINK, { status: 201 }),
};

function show(address = '/settings', answers: Parameters<typeof serveRoutes>[0] = {}) {
  const calls = serveRoutes({ ...ANSWERS, ...answers });
  showPage(
    <>
      <NewLinkButton label="New link" />
      <NewLinkHost />
    </>,
    address,
  );
  return calls;
}
const pressC = (): void => void fireEvent.keyDown(document.body, { key: 'c' });
const panel = () => screen.findByRole('dialog', { name: 'New link' });

it('the key c and the button open the panel over the page of a member', async () => {
  signInAsMember({ email: 'panel@example.com' });
  show();
  pressC();
  expect(await panel()).toBeTruthy();
  act(closeNewLink);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  fireEvent.click(screen.getByRole('link', { name: 'New link' }));
  expect(await panel()).toBeTruthy();
  // The pointer can still be on the button.
  act(expectNewLink);
  expect(await panel()).toBeTruthy();
  expect(currentAddress()).toBe('/settings');
});

it('the button opens Home in a new tab or window, as any link', () => {
  signInAsMember({ email: 'tab@example.com' });
  show();
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey']) {
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, [key]: true });
    act(() => void screen.getByRole('link', { name: 'New link' }).dispatchEvent(click));
    expect(screen.queryByRole('dialog')).toBeNull();
  }
  expect(screen.getByRole('link', { name: 'New link' }).getAttribute('href')).toBe('/');
});

it('the key c takes a visitor to the form on Home', async () => {
  show('/pricing');
  pressC();
  await waitFor(() => expect(currentAddress()).toBe('/'));
  expect(currentState()).toEqual({ newLink: true });
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('Edit replaces the panel with the form of the new link', async () => {
  signInAsMember({ email: 'edit@example.com' });
  const calls = show('/dashboard', {
    'GET /api/links/abc': makeLink({ title: 'From the server' }),
    'PATCH /api/links/abc': makeLink(),
  });
  pressC();
  const dialog = within(await panel());
  fireEvent.change(dialog.getByLabelText('Destination'), { target: { value: 'example.com' } });
  await press('Create link');
  await press('Edit');
  const edit = within(await screen.findByRole('dialog', { name: 'Edit link' }));
  expect(edit.getByLabelText<HTMLInputElement>('Title (optional)').value).toBe('From the server');
  fireEvent.change(edit.getByLabelText('Title (optional)'), { target: { value: 'Sale' } });
  await press('Save link');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(writesOf(calls).map(({ call, body }) => [call, body])).toEqual([
    ['POST /api/shorten', { longUrl: 'example.com' }],
    ['PATCH /api/links/abc', { title: 'Sale' }],
  ]);
});

it('a form whose link does not load says so, and the panel stays', async () => {
  signInAsMember({ email: 'failed@example.com' });
  show('/dashboard', { 'GET /api/links/abc': failure(503, 'Down.') });
  pressC();
  const dialog = within(await panel());
  fireEvent.change(dialog.getByLabelText('Destination'), { target: { value: 'example.com' } });
  await press('Create link');
  takeToasts();
  await press('Edit');
  await waitFor(() => expect(takeToasts()).toMatchObject([{ tone: 'bad' }]));
  expect(screen.getByRole('button', { name: 'Edit' })).toBeTruthy();
});

it('a page that the result leads to closes the panel', async () => {
  signInAsMember({ email: 'leave@example.com' });
  show('/dashboard');
  pressC();
  const dialog = within(await panel());
  fireEvent.change(dialog.getByLabelText('Destination'), { target: { value: 'example.com' } });
  await press('Create link');
  fireEvent.click(await screen.findByRole('link', { name: 'Analytics' }));
  // The list of links shows it on top.
  expect(renderHook(useCreatedCode).result.current).toBe('abc');
  await waitFor(() => expect(currentAddress()).toBe('/analytics/abc'));
  expect(screen.queryByRole('dialog')).toBeNull();
});
