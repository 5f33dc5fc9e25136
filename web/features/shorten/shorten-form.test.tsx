import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import { Toaster } from '#web/ui/toaster.tsx';
import { holdsPage } from '#web/ui/unsaved-changes.ts';
import { ShortenForm } from './shorten-form.tsx';
import { forgetTypedLink, readTypedLink, saveTypedLink } from './typed-link.ts';

const LINK = {
  shortUrl: 'https://hop.example/abc',
  code: 'abc',
  longUrl: 'https://example.com/',
  created_at: '2026-11-21T00:00:00Z',
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  forgetTypedLink();
});

function respondWith(status: number, body: unknown) {
  const mock = vi.fn<typeof fetch>(async () => {
    // As late as a network would be, after the form has set the focus for what it knows itself.
    await new Promise((resolve) => setTimeout(resolve));
    return Response.json(body, { status });
  });
  vi.stubGlobal('fetch', mock);
  return mock;
}

const nothing = (): void => undefined;
const form = (
  member: boolean,
  onShortened = nothing,
  onUpgrade = nothing,
  quotaChanges = 0,
  given = '',
  givenTitle = '',
) => (
  <MemoryRouter>
    <ShortenForm
      given={given}
      givenTitle={givenTitle}
      member={member}
      quotaChanges={quotaChanges}
      onShortened={onShortened}
      onUpgrade={onUpgrade}
      note="A note"
    />
  </MemoryRouter>
);

function show(member = false) {
  const onShortened = vi.fn();
  const onUpgrade = vi.fn();
  const { rerender } = render(form(member, onShortened, onUpgrade));
  const changeQuota = (): void => rerender(form(member, onShortened, onUpgrade, 1));
  const field = screen.getByLabelText<HTMLInputElement>('Destination');
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Shorten URL' });
  const submit = (text: string): void => {
    fireEvent.change(field, { target: { value: text } });
    fireEvent.click(button);
  };
  return { field, button, submit, changeQuota, onShortened, onUpgrade };
}

describe('ShortenForm', () => {
  it('disables the button while the link is empty and while a request runs', async () => {
    let finish: (response: Response) => void = () => undefined;
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (finish = resolve)));
    const { field, button, onShortened } = show();
    expect(screen.getByText('A note')).toBeTruthy();
    expect(button.disabled).toBe(true);
    expect(field.closest('[dir]')?.getAttribute('dir')).toBe('ltr');
    const hint = () => document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(hint()?.textContent).toBe('Paste a link first.');
    expect(document.querySelector('[data-tooltip="Paste a link first."]')).not.toBeNull();
    fireEvent.change(field, { target: { value: '   ' } });
    expect(button.disabled).toBe(true);
    fireEvent.change(field, { target: { value: 'example.com' } });
    expect(hint()).toBeNull();
    expect(document.querySelector('[data-tooltip]')).toBeNull();
    button.focus();
    fireEvent.click(button);
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
    expect(button.textContent).toContain('Shorten URL');
    // The attribute would take the focus away.
    expect(button.disabled).toBe(false);
    expect(document.activeElement).toBe(button);
    finish(Response.json(LINK, { status: 201 }));
    await waitFor(() => expect(onShortened).toHaveBeenCalledWith(LINK, true));
    expect(field.value).toBe('');
    expect(button.disabled).toBe(true);
  });

  it('focus stays in the field after Enter', async () => {
    respondWith(201, LINK);
    const { field, onShortened } = show();
    field.focus();
    fireEvent.change(field, { target: { value: 'example.com' } });
    fireEvent.submit(screen.getByRole('form', { name: 'Shorten a link' }));
    await waitFor(() => expect(onShortened).toHaveBeenCalledWith(LINK, false));
    expect(document.activeElement).toBe(field);
  });

  it('the form keeps a visitor’s typed link for an hour, and restores it once', () => {
    const first = show();
    fireEvent.change(first.field, { target: { value: ' example.com/typed ' } });
    expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe(
      '/auth?tab=sign-up&next=%2F',
    );
    cleanup();
    const member = show(true);
    expect(member.field.value).toBe('example.com/typed');
    cleanup();
    expect(show().field.value).toBe('');
    fireEvent.change(screen.getByLabelText('Destination'), {
      target: { value: 'example.com/late' },
    });
    window.dispatchEvent(new Event('pagehide'));
    expect(readTypedLink(Date.now() + HOUR_MS - 60_000)).toBe('example.com/late');
    expect(readTypedLink(Date.now() + HOUR_MS)).toBe('');
  });

  it('takes what was typed first, then the given link, then the one that was kept', () => {
    const valueOf = (given: string) => {
      render(form(false, nothing, nothing, 0, given));
      const { value } = screen.getByLabelText<HTMLInputElement>('Destination');
      cleanup();
      forgetTypedLink();
      return value;
    };
    saveTypedLink('example.com/kept', Date.now());
    expect(valueOf('example.com/given')).toBe('example.com/given');
    const root = document.createElement('div');
    root.innerHTML = renderToString(form(false, nothing, nothing, 0, 'example.com/given'));
    document.body.append(root);
    screen.getByLabelText<HTMLInputElement>('Destination').value = 'example.com/typed';
    render(form(false, nothing, nothing, 0, 'example.com/given'), {
      container: root,
      hydrate: true,
    });
    expect(screen.getByLabelText<HTMLInputElement>('Destination').value).toBe('example.com/typed');
  });

  const sentBody = async (request: ReturnType<typeof respondWith>): Promise<unknown> => {
    fireEvent.click(screen.getByRole('button', { name: 'Shorten URL' }));
    const sent = () => request.mock.calls.find(([, init]) => init?.method === 'POST')?.[1]?.body;
    await waitFor(() => expect(sent()).toBeDefined());
    const body = sent();
    return JSON.parse(typeof body === 'string' ? body : 'null');
  };

  it('a member’s link gets the given title, which the open options show', async () => {
    const request = respondWith(201, LINK);
    render(form(true, nothing, nothing, 0, 'example.com/given', 'News'));
    await screen.findByDisplayValue('News');
    expect(await sentBody(request)).toEqual({ longUrl: 'example.com/given', title: 'News' });
  });

  it('a typed link does not get the title of the given one', async () => {
    const request = respondWith(201, LINK);
    const page = form(true, nothing, nothing, 0, 'example.com/given', 'News');
    const root = document.createElement('div');
    root.innerHTML = renderToString(page);
    document.body.append(root);
    screen.getByLabelText<HTMLInputElement>('Destination').value = 'example.com/typed';
    render(page, { container: root, hydrate: true });
    expect(await sentBody(request)).toEqual({ longUrl: 'example.com/typed' });
  });

  it('keeps no link of a member, and none once the page has gone', () => {
    const { field } = show(true);
    fireEvent.change(field, { target: { value: 'example.com/member' } });
    expect(holdsPage()).toBe(true);
    cleanup();
    expect(readTypedLink(Date.now())).toBe('');
    fireEvent.change(show().field, { target: { value: 'example.com/visitor' } });
    cleanup();
    forgetTypedLink();
    window.dispatchEvent(new Event('pagehide'));
    expect(readTypedLink(Date.now())).toBe('');
  });

  it('clears the alias with the link, and announces the short one', async () => {
    respondWith(201, LINK);
    const { submit, onShortened } = show(true);
    render(<Toaster />);
    fireEvent.change(await screen.findByLabelText(/Alias/), { target: { value: 'spring' } });
    submit('example.com');
    await waitFor(() => expect(onShortened).toHaveBeenCalledWith(LINK, true));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/Alias/).value).toBe(''));
    expect(screen.getByText('Your short URL is https://hop.example/abc')).toBeTruthy();
  });

  it('an error about the alias is gone when another one is typed', async () => {
    respondWith(409, { error: 'Taken.', code: 'alias_taken', requestId: 'r', field: 'customCode' });
    const { submit } = show(true);
    const alias = await screen.findByLabelText(/Alias/);
    fireEvent.change(alias, { target: { value: 'spring' } });
    submit('example.com');
    await screen.findByText('Taken.');
    await waitFor(() => expect(document.activeElement).toBe(alias));
    fireEvent.change(alias, { target: { value: 'spring-2' } });
    expect(screen.queryByText('Taken.')).toBeNull();
  });

  it('the form keeps nothing that has been shortened', async () => {
    respondWith(201, LINK);
    const { submit, onShortened } = show();
    submit('example.com');
    await waitFor(() => expect(onShortened).toHaveBeenCalled());
    cleanup();
    expect(readTypedLink(Date.now())).toBe('');
  });

  it('sends one request for two quick submits', async () => {
    const mock = vi.fn<typeof fetch>(() => new Promise<Response>(() => undefined));
    vi.stubGlobal('fetch', mock);
    const { submit } = show();
    submit('example.com');
    await waitFor(() => expect(mock).toHaveBeenCalledTimes(1));
    fireEvent.submit(screen.getByRole('form', { name: 'Shorten a link' }));
    // A second request would be sent within a few microtasks.
    await new Promise((resolve) => setTimeout(resolve));
    expect(mock).toHaveBeenCalledTimes(1);
  });

  it('sends no alias for a visitor', async () => {
    const mock = respondWith(201, LINK);
    const { submit } = show();
    expect(screen.queryByLabelText(/Alias/)).toBeNull();
    submit(' example.com ');
    await waitFor(() => expect(mock).toHaveBeenCalledTimes(1));
    expect(mock.mock.calls[0]?.[1]?.body).toBe('{"longUrl":"example.com"}');
  });

  it('sends the sanitized alias of a member', async () => {
    const mock = respondWith(201, LINK);
    const { submit } = show(true);
    const alias = screen.getByLabelText<HTMLInputElement>(/Alias/);
    fireEvent.change(alias, { target: { value: 'spring sale! & more of it than fits' } });
    expect(alias.value).toBe('springsalemoreofitth');
    expect(holdsPage()).toBe(true);
    expect(screen.queryByText(/^Free, no account needed/)).toBeNull();
    submit('example.com');
    await waitFor(() => expect(mock).toHaveBeenCalledTimes(1));
    expect(mock.mock.calls[0]?.[1]?.body).toBe(
      '{"longUrl":"example.com","customCode":"springsalemoreofitth"}',
    );
  });

  it('sends the settings that a member chose, and none that were removed again', async () => {
    const requests = respondWith(201, LINK);
    const { submit } = show(true);
    fireEvent.click(await screen.findByRole('button', { name: 'More options' }));
    fireEvent.click(screen.getByRole('button', { name: /^Redirect/ }));
    const forward = screen.getByLabelText<HTMLSelectElement>('Forward query parameters');
    const sent = () =>
      requests.mock.calls
        .filter(([path]) => path === '/api/shorten')
        .map(([, options]) => options?.body);
    fireEvent.change(forward, { target: { value: 'all' } });
    submit('example.com/a');
    await waitFor(() => expect(forward.value).toBe('none'));
    fireEvent.change(forward, { target: { value: 'all' } });
    fireEvent.change(forward, { target: { value: 'none' } });
    submit('example.com/b');
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()).toEqual([
      JSON.stringify({ longUrl: 'example.com/a', forwardParams: 'all' }),
      JSON.stringify({ longUrl: 'example.com/b' }),
    ]);
  });

  it('sends no alias after the member has signed out', async () => {
    const mock = respondWith(201, LINK);
    const { rerender } = render(form(true));
    fireEvent.change(await screen.findByLabelText(/Alias/), { target: { value: 'spring' } });
    rerender(form(false));
    fireEvent.change(screen.getByLabelText('Destination'), { target: { value: 'example.com' } });
    fireEvent.click(screen.getByRole('button', { name: 'Shorten URL' }));
    await waitFor(() => expect(mock).toHaveBeenCalledTimes(1));
    expect(mock.mock.calls[0]?.[1]?.body).toBe('{"longUrl":"example.com"}');
  });

  it('keeps a rejected link, shows the error beside the field and focuses it', async () => {
    respondWith(400, {
      error: 'Links to this host are not allowed.',
      code: 'invalid_target',
      field: 'longUrl',
    });
    const { field, submit } = show();
    submit('http://localhost/');
    const text = await screen.findByText('Links to this host are not allowed.');
    expect(field.value).toBe('http://localhost/');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(field.getAttribute('aria-describedby')).toBe(text.closest('[role="alert"]')?.id);
    await waitFor(() => expect(document.activeElement).toBe(field));
    fireEvent.change(field, { target: { value: 'http://localhost' } });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('invites a visitor who has reached a limit to sign up or sign in', async () => {
    respondWith(429, { error: 'Limit reached.', code: 'rate_limited', upgradeRequired: false });
    const { field, submit } = show();
    submit('example.com');
    const invitation = await screen.findByRole('alert');
    expect(invitation.textContent).toContain('Limit reached.A free account has 25 links a month');
    expect(invitation.className).not.toContain('bg-bad');
    expect(screen.queryByText(/^Free, no account needed/)).toBeNull();
    const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(href('Sign up for free')).toBe('/auth?tab=sign-up&next=%2F');
    expect(href('Sign in')).toBe('/auth?next=%2F');
    expect(field.value).toBe('example.com');
  });

  it('shows a member who sends too many requests only the error', async () => {
    respondWith(429, { error: 'Wait.', code: 'rate_limited', upgradeRequired: false });
    const { submit } = show(true);
    submit('example.com');
    expect((await screen.findByRole('alert')).textContent).toBe('Wait.');
  });

  it('offers the plans when the quota is used up', async () => {
    respondWith(429, {
      error: 'You have used 25 of 25 links.',
      code: 'quota_reached',
      upgradeRequired: true,
    });
    const { submit, onUpgrade } = show(true);
    submit('example.com');
    await screen.findByText(
      'You have used 25 of 25 links. Upgrade to Premium for 1,000 URLs/month at ₹500/month.',
    );
    fireEvent.click(screen.getByRole('button', { name: 'See plans' }));
    expect(onUpgrade).toHaveBeenCalled();
  });

  it('offers no plans when the biggest quota is used up', async () => {
    respondWith(429, { error: 'Resets on Dec 12.', code: 'quota_reached', upgradeRequired: false });
    const { submit } = show(true);
    submit('example.com');
    expect((await screen.findByRole('alert')).textContent).toBe('Resets on Dec 12.');
    expect(screen.queryByRole('button', { name: 'See plans' })).toBeNull();
  });

  it('clears an error about the quota when the quota changes', async () => {
    respondWith(429, { error: 'All used', code: 'quota_reached', upgradeRequired: true });
    const { field, submit, changeQuota } = show(true);
    submit('example.com');
    await screen.findByRole('alert');
    changeQuota();
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(field.value).toBe('example.com');
  });

  it('keeps an error about the link when the quota changes', async () => {
    respondWith(400, { error: 'Not allowed.', code: 'invalid_target', field: 'longUrl' });
    const { submit, changeQuota } = show(true);
    submit('http://localhost/');
    await screen.findByText('Not allowed.');
    changeQuota();
    expect(screen.getByText('Not allowed.')).toBeTruthy();
  });

  it('keeps the link when no response arrives', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const { field, submit } = show();
    submit('example.com');
    await screen.findByText('Failed to shorten URL. Please try again.');
    expect(screen.getByRole('alert').textContent).toBe('Failed to shorten URL. Please try again.');
    expect(field.value).toBe('example.com');
  });

  it('a member’s result is below the input, and the options are closed again', async () => {
    respondWith(201, LINK);
    const page = (result: string | null) => (
      <MemoryRouter>
        <ShortenForm
          member
          given=""
          quotaChanges={0}
          onShortened={() => rerender(page('The result'))}
          onUpgrade={nothing}
        >
          {result}
        </ShortenForm>
      </MemoryRouter>
    );
    const { rerender } = render(page(null));
    fireEvent.change(screen.getByLabelText('Destination'), { target: { value: 'example.com' } });
    fireEvent.change(screen.getByLabelText('Alias (optional)'), { target: { value: 'mine' } });
    fireEvent.click(screen.getByRole('button', { name: 'Shorten URL' }));
    await screen.findByText(/The result/);
    expect(screen.queryByLabelText('Alias (optional)')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Alias and options' }));
    expect(screen.getByLabelText<HTMLInputElement>('Alias (optional)').value).toBe('');
    fireEvent.change(screen.getByLabelText('Destination'), { target: { value: 'example.org' } });
    fireEvent.click(screen.getByRole('button', { name: 'Shorten URL' }));
    await waitFor(() => expect(screen.queryByLabelText('Alias (optional)')).toBeNull());
  });

  it('a member’s further fields are among the options, with their errors', async () => {
    const mock = respondWith(400, { error: 'Too late.', field: 'expiresAt', code: 'x' });
    const { submit } = show(true);
    fireEvent.click(await screen.findByRole('button', { name: 'More options' }));
    fireEvent.change(screen.getByLabelText('End date (optional)'), {
      target: { value: '2100-01-31T12:00' },
    });
    fireEvent.change(screen.getByLabelText('Tags (optional)'), { target: { value: 'one, two,' } });
    expect(holdsPage()).toBe(true);
    fireEvent.change(screen.getByLabelText('Title (optional)'), { target: { value: 'Sale' } });
    fireEvent.click(screen.getByRole('button', { name: 'More options' }));
    const end = screen.getByLabelText('End date (optional)');
    expect(end.closest('[hidden]')).not.toBeNull();
    submit('example.com');
    // The options open for the field with the error.
    await waitFor(() => expect(end.closest('[hidden]')).toBeNull());
    expect(screen.getByRole('alert').textContent).toBe('Too late.');
    expect(end.getAttribute('aria-invalid')).toBe('true');
    const body = mock.mock.calls.find(([path]) => path === '/api/shorten')?.[1]?.body;
    expect(typeof body === 'string' && JSON.parse(body)).toEqual({
      longUrl: 'example.com',
      expiresAt: new Date('2100-01-31T12:00').getTime(),
      tags: ['one', 'two'],
      title: 'Sale',
    });
  });
});
