import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DISABLE_PROMISE } from '#contract/site.ts';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { ModerationDialog } from './moderation-dialog.tsx';
import type { Moderation } from './moderation-scopes.ts';

const ROUTE = 'POST /api/admin/moderation';
const LINK = { kind: 'link', code: 'sale' } as const;
const HOST = { kind: 'host', host: 'evil.example' } as const;
const DOMAIN = { kind: 'domain', host: 'go.example.com' } as const;
const USER = { kind: 'user', userId: '1a2b3c4d-0000-4000-8000-000000000000' } as const;
const GONE = { kind: 'user', userId: 'deleted-1a2b3c4d-0000-4000-8000-000000000000' } as const;

const onClose = vi.fn();
beforeEach(() => {
  signInAsMember();
  onClose.mockClear();
});
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function show(
  moderation: Moderation,
  answer: Parameters<typeof serveRoutes>[0][string] = {},
) {
  const calls = serveRoutes({ [ROUTE]: answer });
  showPage(<ModerationDialog moderation={moderation} onClose={onClose} />);
  const dialog = within(await screen.findByRole('dialog'));
  const submit = dialog.getAllByRole<HTMLButtonElement>('button').at(-1);
  if (submit === undefined) throw new Error('The dialog has no button.');
  const giveReason = (reason: string): boolean =>
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: reason } });
  return { calls, dialog, submit, giveReason };
}

it('the narrowest scope is preselected, and a reason is required', async () => {
  const scopes = [LINK, HOST, USER];
  const { calls, dialog, submit, giveReason } = await show(
    { action: 'disable', scopes, reportId: 7 },
    { success: true, links: 1 },
  );
  const choice = dialog.getByLabelText<HTMLSelectElement>('What to disable');
  expect(choice.selectedOptions[0]?.textContent).toBe('Only /sale');
  expect(dialog.getByLabelText<HTMLInputElement>('Reason').maxLength).toBe(200);
  giveReason('  ');
  fireEvent.click(submit);
  expect(dialog.getByRole('alert').textContent).toBe('Enter a reason.');
  giveReason(' Fraud ');
  fireEvent.click(submit);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(writesOf(calls).map(({ body }) => body)).toEqual([
    { action: 'disable', scope: LINK, reason: 'Fraud', reportId: 7 },
  ]);
  expect(takeToasts()).toMatchObject([{ text: 'Links disabled.', note: '1 link changed.' }]);
});

it('another scope can be chosen, and a user is then suspended', async () => {
  const { calls, dialog, submit, giveReason } = await show(
    { action: 'disable', scopes: [LINK, USER], name: 'ann@example.com' },
    { success: true, links: 0 },
  );
  expect(dialog.queryByText(/All links of ann@example\.com stop redirecting/)).toBeNull();
  fireEvent.change(dialog.getByLabelText('What to disable'), { target: { value: '1' } });
  expect(dialog.getByText(/All links of ann@example\.com stop redirecting/)).toBeTruthy();
  expect(dialog.getByText(/^Shown to the user and to visitors/)).toBeTruthy();
  giveReason('Fraud');
  fireEvent.click(submit);
  await waitFor(() => expect(writesOf(calls)[0]?.body).toMatchObject({ scope: USER }));
  await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'User suspended.', note: '' }]));
});

it.each<[string, Moderation, string, string]>([
  [
    'a domain',
    { action: 'disable', scopes: [DOMAIN] },
    'Suspend domain',
    'go.example.com suspended.',
  ],
  [
    'a domain',
    { action: 'enable', scopes: [DOMAIN] },
    'Restore domain',
    'go.example.com restored.',
  ],
  ['links', { action: 'disable', scopes: [LINK] }, 'Disable links', 'Links disabled.'],
  ['links', { action: 'enable', scopes: [LINK] }, 'Restore links', 'Links restored.'],
  ['a user', { action: 'enable', scopes: [USER] }, 'Lift suspension', 'Suspension lifted.'],
  ['a deleted account', { action: 'disable', scopes: [GONE] }, 'Disable links', 'Links disabled.'],
])('the dialog about %s has its own button and toast', async (_, moderation, button, text) => {
  const { dialog, submit, giveReason } = await show(moderation, { success: true, links: 2 });
  expect(dialog.getByRole('heading').textContent).toBe(button);
  expect(submit.textContent).toBe(button);
  expect(dialog.queryByRole('combobox')).toBeNull();
  const [scope] = moderation.scopes;
  const isDisabling = moderation.action === 'disable';
  expect(dialog.queryByText(DISABLE_PROMISE) !== null).toBe(isDisabling);
  expect(submit.className.includes('bg-bad')).toBe(isDisabling);
  const isDomain = scope === DOMAIN;
  expect(dialog.queryByText(/^Everything on go\.example\.com /) !== null).toBe(isDomain);
  expect(dialog.queryByText(/^Shown to the owner of the domain/) !== null).toBe(
    isDomain && isDisabling,
  );
  const isForVisitors = dialog.queryByText(/^Shown to visitors of the disabled links/) !== null;
  expect(isForVisitors).toBe(button === 'Disable links');
  expect(dialog.queryByText('Recorded in the audit log.') !== null).toBe(!isDisabling);
  giveReason('x');
  fireEvent.click(submit);
  await waitFor(() => expect(takeToasts()).toMatchObject([{ text, note: '2 links changed.' }]));
});

it('a restoration that changes no link says that another hold applies', async () => {
  const { dialog, submit, giveReason } = await show(
    { action: 'enable', scopes: [LINK, HOST] },
    { success: true, links: 0 },
  );
  expect(dialog.getByLabelText('What to restore')).toBeTruthy();
  giveReason('x');
  fireEvent.click(submit);
  await waitFor(() =>
    expect(takeToasts()).toMatchObject([
      { text: 'Links restored.', note: 'No links changed, because another hold still applies.' },
    ]),
  );
});

it('a domain without links is suspended, and no hold is named', async () => {
  const { submit, giveReason } = await show(
    { action: 'disable', scopes: [DOMAIN] },
    { success: true, links: 0 },
  );
  giveReason('x');
  fireEvent.click(submit);
  await waitFor(() =>
    expect(takeToasts()).toMatchObject([{ text: 'go.example.com suspended.', note: '' }]),
  );
});

it.each([
  [
    'with the reason of the server',
    failure(409, 'You are the last one.'),
    'Failed to suspend user',
    'You are the last one.',
  ],
  [
    'without a response',
    () => Promise.reject(new TypeError('offline')),
    'Error suspending user',
    '',
  ],
])('a failed suspension leaves the dialog open, %s', async (_, answer, text, note) => {
  const { dialog, submit, giveReason } = await show({ action: 'disable', scopes: [USER] }, answer);
  giveReason('Fraud');
  fireEvent.click(submit);
  await waitFor(() => expect(takeToasts()).toMatchObject([{ text, note, tone: 'bad' }]));
  expect(onClose).not.toHaveBeenCalled();
  expect(dialog.getByRole('alert').textContent).toContain(note);
  expect(dialog.getByDisplayValue('Fraud')).toBeTruthy();
  await pressUnanswered('Suspend user');
});
