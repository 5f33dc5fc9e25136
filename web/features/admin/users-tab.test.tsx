import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AdminUser } from '#contract/moderation/admin.ts';
import { formatNumber } from '#contract/language.ts';
import { PLANS } from '#contract/site.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { startSession } from '#web/shared/session/session.ts';
import { takeToasts, waitingToasts } from '#web/ui/announcer.ts';
import { UsersTab } from './users-tab.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  takeToasts();
  localStorage.clear();
  startSession();
});

const ME = 'me@example.com';
const USAGE_RESET = 'Usage reset successfully!';
const CHANGED = 'Their links stay and keep redirecting.';
const RESET = 'Their usage is set to 0; their links stay.';
const user = (email: string, over: Partial<AdminUser> = {}): AdminUser => ({
  user_id: `id of ${email}`,
  user: { email },
  role: 'user',
  last_admin: false,
  suspended: false,
  created_at: '2026-11-01T00:00:00.000Z',
  plan_type: 'free',
  current_usage: 0,
  monthly_limit: 25,
  actual_url_count: 0,
  ...over,
});

/**
 * Shows the tab to the administrator ME. Returns the requests as 'GET /api/me', or with their body.
 */
async function show(...users: AdminUser[]): Promise<string[]> {
  return showAt('/admin?tab=users', ...users);
}

async function showAt(address: string, ...users: AdminUser[]): Promise<string[]> {
  signInAsMember({ email: ME });
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    requests.push(
      `${init.method ?? 'GET'} ${path}${typeof init.body === 'string' ? ` ${init.body}` : ''}`,
    );
    if (path.startsWith('/api/admin')) sender = new Headers(init.headers).get('x-user-email');
    if (path === '/api/me') return Response.json({ id: `id of ${ME}`, email: ME, role: 'admin' });
    return Response.json(init.method === 'POST' ? { success: true } : { users, nextCursor: null });
  });
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <MemoryRouter initialEntries={[address]}>
        <UsersTab />
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByText(users[0]?.user?.email ?? '');
  return requests;
}
function Address() {
  return <output>{useLocation().search}</output>;
}
/** The documented header of the last admin call. */
let sender: string | null = null;
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
/** Opens the menu of a user. */
async function openMenu(email: string): Promise<void> {
  fireEvent.click(button(`More actions for ${email}`));
  await screen.findByRole('menu');
}
const item = (name: string) => screen.getByRole('menuitem', { name });
async function choose(email: string, name: string): Promise<void> {
  await openMenu(email);
  fireEvent.click(item(name));
}
const dialog = (name: string) => screen.findByRole('dialog', { name });
const changes = (requests: string[]) => requests.filter((request) => request.startsWith('POST'));

describe('UsersTab', () => {
  it('makes a user an administrator only after a confirmation', async () => {
    const requests = await show(user('ann@example.com'));
    expect(sender).toBe(ME);
    await choose('ann@example.com', 'Make administrator');
    expect((await dialog('Make administrator?')).textContent).toContain(
      'ann@example.com will see every user, link and report',
    );
    fireEvent.click(
      within(await dialog('Make administrator?')).getByRole('button', { name: 'Cancel' }),
    );
    expect(changes(requests)).toEqual([]);
    await choose('ann@example.com', 'Make administrator');
    const question = within(await dialog('Make administrator?'));
    const confirm = question.getByRole('button', { name: 'Make administrator' });
    expect(confirm.className).not.toContain('bg-bad');
    fireEvent.click(confirm);
    await waitFor(() => expect(changes(requests)).toHaveLength(1));
    expect(changes(requests)[0]).toBe(
      'POST /api/admin {"action":"set_role","user_id":"id of ann@example.com","role":"admin"}',
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Role updated.' }]));
    // The list loads again after a change.
    await waitFor(() => expect(requests.filter((one) => one.includes('=users'))).toHaveLength(2));
  });

  it('resets the usage of a user only after a confirmation that names it', async () => {
    const requests = await show(
      user('ann@example.com', { current_usage: 1234, monthly_limit: 2000 }),
    );
    await choose('ann@example.com', 'Reset Usage');
    const question = await dialog('Reset usage?');
    expect(question.textContent).toContain('ann@example.com has used 1,234 of 2,000 links.');
    expect(changes(requests)).toEqual([]);
    fireEvent.click(within(question).getByRole('button', { name: 'Reset Usage' }));
    await waitFor(() =>
      expect(changes(requests)).toEqual([
        'POST /api/admin {"action":"reset_usage","user_id":"id of ann@example.com"}',
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: USAGE_RESET }]));
    expect(requests.filter((request) => request === 'GET /api/me')).toHaveLength(1);
  });

  it('renews the import of a Premium user only after a confirmation', async () => {
    const requests = await show(user('ann@example.com', { plan_type: 'premium' }));
    await choose('ann@example.com', 'Renew import');
    const question = await dialog('Renew import allowance?');
    const figure = formatNumber(PLANS.premium.importedLinks);
    expect(question.textContent).toContain(`ann@example.com can again import ${figure} links`);
    fireEvent.click(within(question).getByRole('button', { name: 'Renew import' }));
    await waitFor(() =>
      expect(changes(requests)).toEqual([
        'POST /api/admin {"action":"renew_import","user_id":"id of ann@example.com"}',
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([{ text: 'Import allowance renewed.' }]),
    );
  });

  it('a change of the plan can be undone', async () => {
    const requests = await show(user('ann@example.com', { plan_type: 'premium' }));
    fireEvent.change(screen.getByLabelText('Plan of ann@example.com'), {
      target: { value: 'free' },
    });
    await waitFor(() => expect(waitingToasts()[0]?.text).toBe('Plan updated successfully!'));
    expect(waitingToasts()[0]?.action?.label).toBe('Undo');
    act(() => takeToasts()[0]?.action?.onSelect());
    await waitFor(() =>
      expect(changes(requests)).toEqual(
        ['free', 'premium'].map(
          (plan) =>
            `POST /api/admin {"action":"update_plan","user_id":"id of ann@example.com","plan_type":"${plan}"}`,
        ),
      ),
    );
    await waitFor(() => expect(waitingToasts()).toHaveLength(1));
    expect(takeToasts()[0]?.action).toBeNull();
  });

  it('suspends a user or lifts that, but not of the administrator who looks', async () => {
    await show(
      user(ME, { role: 'admin' }),
      user('ann@example.com', { suspended: true }),
      user('ben@example.com'),
    );
    await openMenu(ME);
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Reset Usage',
      'Remove administrator',
    ]);
    fireEvent.click(button(`More actions for ${ME}`));
    await choose('ann@example.com', 'Lift suspension');
    const question = await dialog('Lift suspension');
    expect(question.textContent).toContain('ann@example.com can sign in again.');
    fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await choose('ben@example.com', 'Suspend user');
    expect((await dialog('Suspend user')).textContent).toContain('All links of ben@example.com');
  });

  it('keeps the focus on the plan and shows the new one while the change runs', async () => {
    await show(user('ann@example.com'));
    const unanswered = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>(
      () => new Promise(() => undefined),
    );
    vi.stubGlobal('fetch', unanswered);
    const plan = screen.getByRole<HTMLSelectElement>('combobox', {
      name: 'Plan of ann@example.com',
    });
    plan.focus();
    fireEvent.change(plan, { target: { value: 'premium' } });
    await waitFor(() => expect(unanswered).toHaveBeenCalledTimes(1));
    expect([plan.value, plan.disabled, document.activeElement]).toEqual(['premium', false, plan]);
  });

  const CHANGES = {
    plan: () =>
      fireEvent.change(screen.getByRole('combobox', { name: 'Plan of ann@example.com' }), {
        target: { value: 'premium' },
      }),
    usage: async () => {
      await choose('ann@example.com', 'Reset Usage');
      fireEvent.click(
        within(await dialog('Reset usage?')).getByRole('button', { name: 'Reset Usage' }),
      );
    },
  };
  it.each([
    ['plan', 'rejects', 'Failed to update plan', 'Broken.'],
    ['plan', 'does not answer', 'Error updating plan', ''],
    ['usage', 'rejects', 'Failed to reset usage', 'Broken.'],
    ['usage', 'does not answer', 'Error resetting usage', ''],
  ] as const)('a change of the %s that the server %s says “%s”', async (what, how, text, note) => {
    const requests = await show(user('ann@example.com', { current_usage: 3 }));
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
      if (init.method !== 'POST') return fetch(path, init);
      if (how === 'does not answer') throw new TypeError('Failed to fetch');
      return Response.json({ error: 'Broken.', code: 'x', requestId: 'r' }, { status: 500 });
    });
    await CHANGES[what]();
    let toasts: ReturnType<typeof takeToasts> = [];
    await waitFor(() => expect((toasts = takeToasts())).toHaveLength(1));
    expect(toasts).toMatchObject([{ text, note, tone: 'bad' }]);
    const plan = screen.getByRole<HTMLSelectElement>('combobox', {
      name: 'Plan of ann@example.com',
    });
    await waitFor(() => expect(plan.value).toBe('free'));
    expect(screen.getByText('3/25')).toBeTruthy();
    // Without an answer, the change may have happened.
    await waitFor(() => expect(requests.filter((one) => one.includes('=users'))).toHaveLength(2));
  });

  it('reads the own role again after administrators removed it from themselves', async () => {
    const requests = await show(user(ME, { role: 'admin' }));
    await waitFor(() => expect(requests).toContain('GET /api/me'));
    const before = requests.filter((request) => request === 'GET /api/me').length;
    await choose(ME, 'Remove administrator');
    expect((await dialog('Remove administrator?')).textContent).toContain(
      'You lose access to the admin area at once.',
    );
    fireEvent.click(
      within(await dialog('Remove administrator?')).getByRole('button', {
        name: 'Remove administrator',
      }),
    );
    await waitFor(() =>
      expect(requests.filter((request) => request === 'GET /api/me').length).toBeGreaterThan(
        before,
      ),
    );
    expect(changes(requests)[0]).toContain('"role":"user"');
  });

  it('keeps the role of the last administrator and says why', async () => {
    await show(
      user('boss@example.com', { role: 'admin', last_admin: true }),
      user('ann@example.com'),
      user('cat@example.com', { role: 'admin' }),
    );
    await openMenu('boss@example.com');
    const disabled = screen.getByRole('menuitem', { name: /^Remove administrator/ });
    expect(disabled.getAttribute('aria-disabled')).toBe('true');
    expect(disabled.textContent).toContain(
      'The last administrator keeps the role. Make someone else an administrator first.',
    );
    fireEvent.click(disabled);
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.click(button('More actions for boss@example.com'));
    await openMenu('ann@example.com');
    expect(item('Make administrator').getAttribute('aria-disabled')).toBeNull();
    fireEvent.click(button('More actions for ann@example.com'));
    await choose('cat@example.com', 'Remove administrator');
    const question = await dialog('Remove administrator?');
    expect(question.textContent).toContain('cat@example.com loses access to the admin area');
    const confirm = within(question).getByRole('button', { name: 'Remove administrator' });
    expect(confirm.className).toContain('bg-bad');
  });

  it('shows a user in one row of cells', async () => {
    await show(
      user('ann@example.com', {
        user_id: '0123456789abcdef',
        current_usage: 3,
        actual_url_count: 7,
      }),
      user('', { user: null, role: 'admin', suspended: true, plan_type: 'premium' }),
    );
    const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(headers.join()).toBe(',User,ID,Used this cycle,URLs created,Since,Plan,Actions');
    const [, row, other] = screen.getAllByRole('row');
    expect(other?.textContent).toContain('UnknownPremiumAdminSuspended');
    expect(screen.getByRole('link', { name: '7 URLs' }).getAttribute('href')).toBe(
      '/admin?tab=urls&owner=0123456789abcdef',
    );
    expect(row?.querySelector('[style]')?.getAttribute('style')).toContain('scaleX(0.12)');
    const cells = within(row ?? document.body).getAllByRole('cell');
    expect(cells.slice(1, 6).map(({ textContent }) => textContent)).toEqual([
      'ann@example.comFree',
      '01234567',
      '3/25',
      '7 URLs',
      'Nov 1, 2026',
    ]);
  });

  it('changes the plan of the selected users, and keeps those selected that failed', async () => {
    const requests = await show(
      user('ann@example.com'),
      user('ben@example.com'),
      user('cat@example.com'),
    );
    const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
    fireEvent.click(box('Select all shown'));
    expect(box('Select all shown').checked).toBe(true);
    fireEvent.click(box('Select cat@example.com'));
    expect(box('Select all shown').checked).toBe(false);
    const actions = screen.getByRole('region', { name: 'Selected users' });
    expect(actions.textContent).toContain('2 selected');
    // Toasts stay above it (base.css).
    expect(actions.hasAttribute('data-floating-bar')).toBe(true);
    fireEvent.click(button('Change to Premium'));
    const question = await dialog('Change the plan of 2 users?');
    expect(changes(requests)).toEqual([]);
    const lists = requests.length;
    let failing = /id of ben/;
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(path, init);
      const name = failing.exec(JSON.stringify(init.body))?.[0];
      if (name === undefined) return answer;
      return Response.json({ error: `Not ${name}.`, code: 'x', requestId: 'r' }, { status: 500 });
    });
    fireEvent.click(within(question).getByRole('button', { name: 'Change to Premium' }));
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Selected users' }).textContent).toContain(
        '1 selected',
      ),
    );
    expect(changes(requests)).toEqual(
      ['ann', 'ben'].map(
        (name) =>
          `POST /api/admin {"action":"update_plan","user_id":"id of ${name}@example.com","plan_type":"premium"}`,
      ),
    );
    expect(takeToasts()).toMatchObject([
      { text: '1 user changed.' },
      { text: '1 user not changed.', note: 'Not id of ben.', tone: 'bad' },
    ]);
    await waitFor(() => expect(requests).toHaveLength(lists + 3));
    expect(box('Select ben@example.com').checked).toBe(true);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    fireEvent.click(button('Clear'));
    expect(screen.queryByRole('region', { name: 'Selected users' })).toBeNull();
    const bulk = async (action: string, title: string, text: string): Promise<void> => {
      fireEvent.click(button(action));
      const asked = within(await dialog(title));
      expect(asked.getByText(text)).toBeTruthy();
      const confirm = asked.getByRole('button', { name: action });
      expect(confirm.className).not.toContain('bg-bad');
      fireEvent.click(confirm);
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    fireEvent.click(box('Select all shown'));
    await bulk('Change to Free', 'Change the plan of 3 users?', CHANGED);
    await waitFor(() => expect(takeToasts()).toHaveLength(2));
    expect(changes(requests).at(-1)).toMatch(/id of cat.*"plan_type":"free"/);
    fireEvent.click(box('Select cat@example.com'));
    failing = /id of (ben|cat)/;
    await bulk('Reset Usage', 'Reset the usage of 2 users?', RESET);
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([
        { text: '2 users not changed.', note: 'Not id of ben.' },
      ]),
    );
    expect(changes(requests).at(-1)).toMatch(/"reset_usage","user_id":"id of cat/);
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    await bulk('Reset Usage', 'Reset the usage of 2 users?', RESET);
    const bar = screen.getByRole('region', { name: 'Selected users' });
    await waitFor(() => expect(bar.getAttribute('aria-busy')).toBe('true'));
    expect(bar.querySelectorAll('button:enabled')).toHaveLength(0);
  });

  it('keeps search and filters in the URL and asks the API for them', async () => {
    const requests = await showAt(
      '/admin?tab=users&role=admin&plan=gold&q=ann',
      user('ann@example.com'),
    );
    const asked = () =>
      new URLSearchParams(
        requests.findLast((request) => request.includes('action=users'))?.split('?')[1],
      );
    // An unknown plan is not a filter.
    expect(Object.fromEntries(asked())).toEqual({
      action: 'users',
      q: 'ann',
      role: 'admin',
      cursor: '',
    });
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Role' }).value).toBe('admin');
    const options = ['Role', 'Plan', 'Suspension'].map((name) =>
      Array.from(
        screen.getByRole<HTMLSelectElement>('combobox', { name }).options,
        ({ value, text }) => `${value} ${text}`,
      ).join(),
    );
    expect(options).toEqual([
      ' Any role,user Members,admin Admins',
      ' Any plan,free Free,premium Premium',
      ' Suspended or not,yes Suspended,no Not suspended',
    ]);
    fireEvent.change(screen.getByRole('combobox', { name: 'Suspension' }), {
      target: { value: 'yes' },
    });
    // The rows stay while the filtered ones load.
    expect(screen.getByText('ann@example.com')).toBeTruthy();
    await waitFor(() => expect(asked().get('suspended')).toBe('yes'));
    expect(screen.getByText('ann@example.com')).toBeTruthy();
    expect(screen.getByRole('status').textContent).toContain('suspended=yes');
    fireEvent.click(button('Clear filters'));
    await waitFor(() =>
      expect(Object.fromEntries(asked())).toEqual({ action: 'users', q: '', cursor: '' }),
    );
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
    // `plan` had a value that is not a filter, so it was removed as well.
    expect(screen.getByRole('status').textContent).toBe('?tab=users');
  });
});
