import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signInAsMember } from '#web/testing/session.ts';
import { startSession, useSession } from '#web/shared/session/session.ts';
import { noteOwnPlan, prefetchMe, useMe, useOwnPlan } from './use-me.ts';

/** Every test has a different user, because the module keeps the last one. */
let email = '';
let users = 0;
beforeEach(() => {
  users += 1;
  renders = [];
  email = `user${users}@example.com`;
  signInAsMember({ email });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

let renders: string[] = [];
function Role({ name }: { name: string }) {
  const { me, isAdmin, failed, loading, reload } = useMe();
  const session = useSession();
  const role = me === null ? 'unknown' : isAdmin ? 'admin' : 'user';
  renders.push(`${session.status === 'member' ? session.email : session.status} is ${role}`);
  return (
    <button type="button" onClick={reload}>
      {name}: {[role, failed && 'failed', loading && 'loading'].filter(Boolean).join(' ')}
    </button>
  );
}
const respondWith = (role: string) => {
  const mock = vi.fn<typeof fetch>(async () =>
    Response.json({ id: `id of ${email}`, email, role }),
  );
  vi.stubGlobal('fetch', mock);
  return mock;
};

describe('useMe', () => {
  it('shares one request between the components of a page', async () => {
    const mock = respondWith('admin');
    render(
      <>
        <Role name="header" />
        <Role name="page" />
      </>,
    );
    await screen.findByText('header: admin');
    await screen.findByText('page: admin');
    expect(mock).toHaveBeenCalledTimes(1);
    expect(mock.mock.calls[0]?.[0]).toBe('/api/me');
  });

  it('asks again when another component mounts, and updates the others', async () => {
    respondWith('admin');
    render(<Role name="header" />);
    await screen.findByText('header: admin');
    const mock = respondWith('user');
    render(<Role name="page" />);
    await screen.findByText('page: user');
    expect(mock).toHaveBeenCalledTimes(1);
    expect(screen.getByText('header: user')).toBeTruthy();
  });

  it('keeps the user when a reload fails, and says so', async () => {
    respondWith('admin');
    render(<Role name="page" />);
    const button = await screen.findByText('page: admin');
    vi.stubGlobal('fetch', async () => Response.json({ error: 'Down.' }, { status: 503 }));
    act(() => button.click());
    expect(await screen.findByText('page: admin failed')).toBeTruthy();
  });

  it('the plan of the previous user is not that of the next', async () => {
    const Plan = () => <p>plan: {useOwnPlan() ?? 'unknown'}</p>;
    vi.stubGlobal('fetch', async () =>
      Response.json({ id: `id of ${email}`, email, role: 'user', plan: 'premium' }),
    );
    await prefetchMe();
    render(<Plan />);
    expect(screen.getByText('plan: premium')).toBeTruthy();
    act(() => noteOwnPlan('another user', 'free'));
    expect(screen.getByText('plan: premium')).toBeTruthy();
    act(() => signInAsMember({ email: `second-${email}` }));
    expect(screen.getByText('plan: unknown')).toBeTruthy();
  });

  it('reports a failure and loads again on demand', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ error: 'Down.' }, { status: 503 }));
    render(<Role name="page" />);
    const button = await screen.findByText('page: unknown failed');
    respondWith('admin');
    act(() => button.click());
    await screen.findByText('page: admin');
  });

  it('never shows the role of the previous user', async () => {
    respondWith('admin');
    render(<Role name="page" />);
    await screen.findByText('page: admin');
    let finish: (response: Response) => void = () => undefined;
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (finish = resolve)));
    act(() => signInAsMember({ email: `second-${email}` }));
    await screen.findByText('page: unknown loading');
    await act(async () => finish(Response.json({ id: 'x', email: 'x', role: 'user' })));
    await screen.findByText('page: user');
    expect(renders).toContain(`${email} is admin`);
    expect(renders).not.toContain(`second-${email} is admin`);
  });

  it('ignores a response for a user who has signed out', async () => {
    let finish: (response: Response) => void = () => undefined;
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (finish = resolve)));
    render(<Role name="page" />);
    await screen.findByText('page: unknown loading');
    respondWith('user');
    act(() => signInAsMember({ email: `second-${email}` }));
    await screen.findByText('page: user');
    await act(async () => finish(Response.json({ id: 'x', email: 'x', role: 'admin' })));
    expect(screen.getByText('page: user')).toBeTruthy();
  });

  it('asks nothing for a visitor', async () => {
    const mock = respondWith('admin');
    localStorage.clear();
    startSession();
    render(<Role name="page" />);
    await waitFor(() => expect(screen.getByText('page: unknown')).toBeTruthy());
    expect(mock).not.toHaveBeenCalled();
  });
});
