import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { BlocklistTab } from './blocklist-tab.tsx';

const ROUTE = '/api/admin/blocklist';
const ENTRY = {
  value: 'https://evil.example/a?b',
  kind: 'target',
  reason: '',
  createdAt: '2026-11-20T12:00:00Z',
  applied: false,
};
const list = (...entries: object[]) => ({ [`GET ${ROUTE}`]: { entries, nextCursor: null } });
const hosts = () => screen.getByLabelText<HTMLTextAreaElement>('Hosts');
const add = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Add hosts' });
const fill = (text: string): void => {
  fireEvent.change(hosts(), { target: { value: text } });
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: ' Fraud ' } });
};

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('added hosts leave the field empty and focused, and the list is read again', async () => {
  const calls = serveRoutes({ ...list(), [`POST ${ROUTE}`]: { added: 2, refused: [] } });
  showPage(<BlocklistTab />);
  expect(await screen.findByText('The blocklist is empty')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Reason').maxLength).toBe(200);
  fill('  ');
  fireEvent.click(add());
  expect(screen.getByRole('alert').textContent).toBe('Enter at least one host.');
  const file = new File(['a.example\nb.example'], 'hosts.txt');
  const input = screen.getByLabelText<HTMLInputElement>('Choose a text file…');
  // So that the same file can be chosen again.
  const clear = vi.spyOn(input, 'value', 'set');
  fireEvent.change(input, { target: { files: [file] } });
  expect(clear).toHaveBeenCalledExactlyOnceWith('');
  await waitFor(() => expect(hosts().value).toBe('a.example\nb.example'));
  fill('a.example\nb.example');
  const reads = calls.length;
  fireEvent.click(add());
  await waitFor(() => expect(hosts().value).toBe(''));
  expect(document.activeElement).toBe(hosts());
  expect(writesOf(calls).map(({ body }) => body)).toEqual([
    { hosts: 'a.example\nb.example', reason: 'Fraud' },
  ]);
  await waitFor(() => expect(calls.length).toBe(reads + 2));
  expect(takeToasts()).toMatchObject([
    { text: '2 hosts added.', note: expect.stringContaining('disabled within a minute') },
  ]);
});

it.each([
  [5, ''],
  [6, ' and 1 more'],
])('of %i rejected lines five are named, and all stay in the field', async (count, more) => {
  const refused = Array.from({ length: count }, (_, at) => ({ text: `bad${at}`, why: 'no host' }));
  serveRoutes({ ...list(), [`POST ${ROUTE}`]: { added: 1, refused } });
  showPage(<BlocklistTab />);
  fill('good.example');
  fireEvent.click(add());
  const named = [0, 1, 2, 3, 4].map((at) => `bad${at} (no host)`).join(', ');
  expect((await screen.findByRole('alert')).textContent).toBe(`Not added: ${named}${more}`);
  expect(hosts().value).toBe(refused.map(({ text }) => text).join('\n'));
  serveRoutes({ ...list(), [`POST ${ROUTE}`]: { added: 1, refused: [] } });
  fireEvent.click(add());
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('a failed import keeps what was typed and says why', async () => {
  serveRoutes({ ...list(), [`POST ${ROUTE}`]: failure(413, 'Send it in parts.') });
  showPage(<BlocklistTab />);
  fill('a.example');
  fireEvent.click(add());
  expect(await screen.findByText('Send it in parts.')).toBeTruthy();
  expect(hosts().value).toBe('a.example');
  expect(screen.getByDisplayValue('Fraud', { trim: true })).toBeTruthy();
  await pressUnanswered('Add hosts');
});

it('an entry is removed by its encoded value, and says if it is not yet applied', async () => {
  const plain = { ...ENTRY, value: 'a.example', reason: 'Kit', applied: true };
  const entries = [ENTRY, plain];
  const calls = serveRoutes({
    [`GET ${ROUTE}`]: () => ({ entries: entries.splice(0), nextCursor: null }),
    [`DELETE ${ROUTE}/${encodeURIComponent(ENTRY.value)}`]: { success: true },
  });
  showPage(<BlocklistTab />);
  expect(await screen.findByText('Not yet applied to existing links')).toBeTruthy();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    `${ENTRY.value}Not yet applied to existing linksNo reason · Nov 20, 2026Remove`,
    'a.exampleKit · Nov 20, 2026Remove',
  ]);
  await pressUnanswered('Remove a.example');
  await press(`Remove ${ENTRY.value}`);
  await waitFor(() =>
    expect(takeToasts().map(({ text }) => text)).toEqual(['Host removed from the blocklist.']),
  );
  expect(writesOf(calls)).toHaveLength(1);
  expect(await screen.findByText('The blocklist is empty')).toBeTruthy();
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'b.example' } });
  expect(await screen.findByText('No hosts found')).toBeTruthy();
  expect(calls.at(-1)?.call).toBe(`GET ${ROUTE}?q=b.example&cursor=`);
});
