import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signInAsMember, storeSession } from '#web/testing/session.ts';
import { Form } from '#web/ui/form.tsx';
import { api, type RequestError } from '#web/shared/api/api.ts';
import { config } from '#web/shared/page/config.ts';
import {
  currentSession,
  signOut,
  signOutEverywhere,
  startSession,
  stopAsking,
  storageKey,
  useEndedSession,
  useSession,
} from './session.ts';
import { askBeforeUnload, useUnsavedGuard } from '#web/ui/unsaved-changes.ts';

const KEY = storageKey(config.auth.url);

/** The note of a member, in a form that the page shows only to members. */
function Page() {
  const session = useSession();
  const ended = useEndedSession();
  if (session.status !== 'member') return <p>Welcome back</p>;
  return (
    <Form onSubmit={() => undefined}>
      <p>{`${session.email} ${ended}`}</p>
      <textarea aria-label="Note" defaultValue="" />
    </Form>
  );
}
const type = (text: string) =>
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: text } });

/** Ends or starts a session as another tab does. */
function inOtherTab(change: () => void): void {
  change();
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: KEY })));
}
const endSession = (): void => inOtherTab(() => localStorage.removeItem(KEY));
const signInAs = (email: string): void =>
  inOtherTab(() => storeSession({ email, accessToken: 'new' }));

const reload = vi.fn<() => void>();
beforeEach(() => {
  signInAsMember({ email: 'a@example.com' });
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
  render(<Page />);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  reload.mockReset();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

describe('closing the tab', () => {
  it('makes the browser ask while a long text is not saved', () => {
    askBeforeUnload();
    const close = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(close()).toBe(true);
    type('Every word of it.');
    expect(close()).toBe(false);
    type('');
    expect(close()).toBe(true);
  });
});

describe('a session that ends', () => {
  it('leaves the page while nothing is typed', () => {
    endSession();
    expect(screen.getByText('Welcome back')).toBeTruthy();
  });

  it('keeps the page of a member who has typed something', () => {
    type('Every word of it.');
    endSession();
    expect(screen.getByText('a@example.com ended')).toBeTruthy();
    expect(screen.getByLabelText('Note')).toHaveProperty('value', 'Every word of it.');
  });

  it('leaves the page once the form has gone', async () => {
    type('x');
    endSession();
    cleanup();
    await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
    expect(currentSession().status).toBe('visitor');
  });

  it('keeps the page while one dialog replaces another', () => {
    const Popup = () => {
      const [guard] = useUnsavedGuard({ isDialog: true });
      return <div ref={guard} />;
    };
    cleanup();
    const { rerender } = render(<Popup key="first" />);
    endSession();
    rerender(<Popup key="second" />);
    expect(currentSession().status).toBe('member');
  });

  it('a member who signs out leaves, whatever is typed', async () => {
    vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
    type('x');
    await act(() => signOut());
    expect(screen.getByText('Welcome back')).toBeTruthy();
  });
});

describe('a sign-out that failed', () => {
  it('keeps the page of a member who has typed something', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    type('x');
    await act(() => signOutEverywhere().catch(() => undefined));
    endSession();
    expect(screen.getByText('a@example.com ended')).toBeTruthy();
  });
});

describe('a request of an ended session', () => {
  function serve() {
    const tokens: (string | null)[] = [];
    vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
      if (url.includes('/auth/v1/')) return new Response(null, { status: 204 });
      tokens.push(new Headers(init?.headers).get('authorization'));
      return Response.json('saved');
    });
    type('Every word of it.');
    endSession();
    return tokens;
  }
  const save = () => api('/api/x', { method: 'POST' });

  it('a request with an ended session asks for the sign-in, and continues after it', async () => {
    const tokens = serve();
    const saved = save();
    expect(await screen.findByText('a@example.com asking')).toBeTruthy();
    expect(tokens).toEqual([]);
    // The end of the session is heard again, for example from another tab.
    endSession();
    expect(screen.getByText('a@example.com asking')).toBeTruthy();
    signInAs('a@example.com');
    expect(await saved).toBe('saved');
    expect(tokens).toEqual(['Bearer new']);
    expect(screen.getByText('a@example.com no')).toBeTruthy();
  });

  it('a reload in the background asks for nothing, and goes on, too', async () => {
    serve();
    const loaded = api('/api/x');
    await act(() => Promise.resolve());
    expect(screen.getByText('a@example.com ended')).toBeTruthy();
    signInAs('a@example.com');
    expect(await loaded).toBe('saved');
  });

  it('fails if the member does not sign in, and asks again the next time', async () => {
    const tokens = serve();
    const loaded = api('/api/x');
    const failed = save().catch((error: Error) => error.message);
    await screen.findByText('a@example.com asking');
    act(() => stopAsking());
    expect(await failed).toBe('Your session has ended, so this was not sent.');
    expect(screen.getByText('a@example.com ended')).toBeTruthy();
    const saved = save();
    await screen.findByText('a@example.com asking');
    signInAs('a@example.com');
    // A reload in the background has waited on.
    expect(await Promise.all([saved, loaded])).toEqual(['saved', 'saved']);
    expect(tokens).toHaveLength(2);
  });

  it('fails without being sent if the form goes before the member has signed in', async () => {
    const tokens = serve();
    const failed = save().catch((error: Error) => error.message);
    await screen.findByText('a@example.com asking');
    cleanup();
    expect(await failed).toBe('Your session has ended, so this was not sent.');
    expect(tokens).toEqual([]);
  });

  it('another person gets a new page, and nothing is sent', async () => {
    const tokens = serve();
    void save().catch(() => undefined);
    await screen.findByText('a@example.com asking');
    signInAs('b@example.com');
    expect(reload).toHaveBeenCalled();
    expect(tokens).toEqual([]);
    // The reload asks nothing, although a long text is not saved.
    askBeforeUnload();
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
    expect(screen.getByText('a@example.com asking')).toBeTruthy();
  });
});

describe('a sign-in service that is out of reach', () => {
  it.each([3_600, -10])('ends no session, whose token has %i seconds left', async (seconds) => {
    storeSession({ email: 'a@example.com', expiresInSeconds: seconds });
    vi.stubGlobal('fetch', async (url: string) =>
      url.includes('/auth/v1/')
        ? Promise.reject(new TypeError('Failed to fetch'))
        : Response.json({ error: 'Sign in first.' }, { status: 401 }),
    );
    vi.useFakeTimers();
    const status = api('/api/x').catch((error: RequestError) => error.status);
    // The sign-in client tries for half a minute.
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await status).toBe(0);
    expect(currentSession().status).toBe('member');
  });
});
