import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { UnsubscribePage } from './unsubscribe-page.tsx';
import { WeeklyMailPanel } from './weekly-mail-panel.tsx';

const ROUTE = '/api/weekly-mail';
const checkbox = () => screen.findByRole<HTMLInputElement>('checkbox');

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it.each([
  [false, true, 'The first email comes next Monday.'],
  [true, false, 'You get no more weekly emails.'],
])('the weekly mail that is %s becomes %s and a toast says so', async (before, after, text) => {
  const calls = serveRoutes({
    [`GET ${ROUTE}`]: { enabled: before, offered: true },
    [`PATCH ${ROUTE}`]: { enabled: after, offered: true },
  });
  showPage(<WeeklyMailPanel />);
  expect((await checkbox()).checked).toBe(before);
  fireEvent.click(await checkbox());
  await waitFor(() => expect(takeToasts().map((toast) => toast.text)).toEqual([text]));
  expect(writesOf(calls)).toEqual([{ call: `PATCH ${ROUTE}`, body: { enabled: after } }]);
  expect((await checkbox()).checked).toBe(after);
});

it('a choice shows while it is saved, is sent once, and goes back if that fails', async () => {
  let answer: (response: Response) => void = () => undefined;
  const calls = serveRoutes({
    [`GET ${ROUTE}`]: { enabled: false, offered: true },
    [`PATCH ${ROUTE}`]: () => new Promise<Response>((resolve) => (answer = resolve)),
  });
  showPage(<WeeklyMailPanel />);
  fireEvent.click(await checkbox());
  await waitFor(async () => expect((await checkbox()).checked).toBe(true));
  fireEvent.click(await checkbox());
  expect(writesOf(calls)).toHaveLength(1);
  answer(failure(403, 'Confirm your address first.')());
  expect(await screen.findByText('Confirm your address first.')).toBeTruthy();
  expect((await checkbox()).checked).toBe(false);
  expect(takeToasts()).toEqual([]);
});

it.each([
  [false, false, 'This server does not send email, so there is no summary.', 0],
  [true, false, 'This server does not send email at the moment.', 1],
  [false, true, 'Each email has a link that stops them.', 1],
])('a mail that is enabled: %s and offered: %s says so', async (enabled, offered, text, boxes) => {
  serveRoutes({ [`GET ${ROUTE}`]: { enabled, offered } });
  showPage(<WeeklyMailPanel />);
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryAllByRole('checkbox')).toHaveLength(boxes);
});

it('a choice that cannot be loaded shows Retry and no checkbox', async () => {
  serveRoutes({ [`GET ${ROUTE}`]: failure(503, 'Down.') });
  showPage(<WeeklyMailPanel />);
  expect(await screen.findByText('Your choice could not be loaded.')).toBeTruthy();
  expect(screen.queryByRole('checkbox')).toBeNull();
  serveRoutes({ [`GET ${ROUTE}`]: { enabled: true, offered: true } });
  await press('Retry');
  expect((await checkbox()).checked).toBe(true);
});

const STOP = 'Stop the weekly email';
const stopped = 'You get no more weekly emails. You can turn them on again in Settings.';

it('the link of a weekly mail changes nothing before its button is pressed', async () => {
  const calls = serveRoutes({ [`POST ${ROUTE}/unsubscribe`]: { success: true } });
  showPage(<UnsubscribePage />, '/unsubscribe#a.token');
  expect(calls).toEqual([]);
  expect(screen.getByText(/^You will no longer get a summary/).textContent).toBe(
    'You will no longer get a summary of your clicks on Mondays. Other emails about your account still come.',
  );
  expect(screen.queryByText(stopped)).toBeNull();
  await press(STOP);
  expect(await screen.findByText(stopped)).toBeTruthy();
  expect(calls.map(({ call }) => call)).toEqual([`POST ${ROUTE}/unsubscribe?token=a.token`]);
  expect(screen.queryByRole('button', { name: STOP })).toBeNull();
  expect(screen.getByRole('link', { name: 'Open Settings' }).getAttribute('href')).toBe(
    '/settings',
  );
});

it('a weekly mail that could not be stopped leaves the button and says why', async () => {
  serveRoutes({ [`POST ${ROUTE}/unsubscribe`]: failure(400, 'This link is damaged.') });
  showPage(<UnsubscribePage />, '/unsubscribe#broken');
  await press(STOP);
  expect(await screen.findByText('This link is damaged.')).toBeTruthy();
  expect(screen.getByRole('button', { name: STOP })).toBeTruthy();
  expect(screen.queryByText(stopped)).toBeNull();
  expect(screen.queryByRole('link', { name: 'Open Settings' })).toBeNull();
  await pressUnanswered(STOP);
});

it('the page without a token has no button and leads to the settings', () => {
  showPage(<UnsubscribePage />, '/unsubscribe');
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByText(/^This page opens from the link/).textContent).toBe(
    'This page opens from the link in a weekly email. You can turn the email off in Settings as well.',
  );
  expect(screen.getByRole('link', { name: 'Open Settings' })).toBeTruthy();
});
