import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ForwardParams } from '#contract/links/forward-params.ts';
import type { SettingName, ShownByColumn } from '#contract/links/link-settings.ts';
import type { UtmTemplate } from '#contract/presets/utm-templates.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import {
  currentAddress,
  goBack,
  press,
  pressUnanswered,
  renderPage,
  showPage,
} from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { MailCheck } from '#web/shared/sign-in/auth-mail-check.tsx';
import { CodeForm } from '#web/shared/sign-in/auth-code-form.tsx';
import { ForwardField } from '#web/shared/link-settings/forward-field.tsx';
import { LinkOptions } from '#web/shared/link-settings/link-options.tsx';
import { describeSetting } from '#web/shared/link-settings/describe-setting.ts';
import { announcePlanChange, PLAN_CHANNEL } from '#web/shared/plans/plans.ts';
import { QrCode } from '#web/shared/qr/qr-code.tsx';
import { saveFile } from '#web/shared/page/save-file.ts';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { RequestError } from '#web/shared/api/api.ts';
import { SettingsList } from '#web/shared/link-settings/settings-list.tsx';
import { startSession } from '#web/shared/session/session.ts';
import { SignOutEverywhere } from '#web/shared/sign-in/sign-out-everywhere.tsx';
import { useQueryParams } from '#web/shared/page/use-query-params.ts';
import { UtmFields } from '#web/shared/link-settings/utm-fields.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
  takeToasts();
});

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

describe('saveFile', () => {
  it('keeps the address of a file for ten seconds, and no longer', () => {
    vi.useFakeTimers();
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
    const revoke = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    saveFile(new Blob(['x']), 'x.txt');
    vi.advanceTimersByTime(9_999);
    expect(revoke).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:file');
  });
});

describe('useQueryParams', () => {
  it.each([
    [false, '/list?a=1&b=2'],
    [true, '/before'],
  ])('changes some parameters and keeps the others (replace: %s)', (replace, previous) => {
    function Page() {
      const [, set] = useQueryParams();
      return <button onClick={() => set({ a: '', c: '3' }, { replace })}>change</button>;
    }
    showPage(<Page />, '/before', '/list?a=1&b=2');
    fireEvent.click(screen.getByText('change'));
    expect(currentAddress()).toBe('/list?b=2&c=3');
    goBack();
    expect(currentAddress()).toBe(previous);
  });
});

describe('announcePlanChange', () => {
  it('tells every tab, this one included, and closes its channel', async () => {
    const received = vi.fn();
    const tab = new BroadcastChannel(PLAN_CHANNEL);
    tab.addEventListener('message', received);
    const close = vi.spyOn(BroadcastChannel.prototype, 'close');
    announcePlanChange();
    expect(close).toHaveBeenCalledOnce();
    await waitFor(() => expect(received).toHaveBeenCalledOnce());
    tab.close();
  });
});

describe('serverErrors', () => {
  const errorAt = (field?: string) =>
    new RequestError(400, { error: 'No.', ...(field !== undefined && { field }) });
  it.each([
    [null, undefined, ''],
    [errorAt(), undefined, 'No.'],
    [errorAt('other'), undefined, 'No.'],
    [errorAt('tags'), 'No.', ''],
    [errorAt('tags.2'), 'No.', ''],
    [errorAt('tagsOfOthers'), undefined, 'No.'],
    [new Error('Down.'), undefined, 'Down.'],
  ])('assigns %s to a field or to the form', (error, at, rest) => {
    const errors = serverErrors(error, ['tags', 'title']);
    expect([errors.at('tags'), errors.at('title'), errors.rest]).toEqual([at, undefined, rest]);
  });
});

describe('describeSetting', () => {
  it.each<[SettingName, Partial<ShownByColumn>, string]>([
    ['archived', { archived: true }, 'yes'],
    ['archived', { archived: false }, 'no'],
    ['title', { title: '' }, 'none'],
    ['title', { title: 'T' }, 'T'],
    ['expiresAt', { expires_at: null }, 'none'],
    ['forwardParams', { forward_params: ['ref', 'gclid'] }, 'ref, gclid'],
    ['forwardParams', { forward_params: 'all' }, 'all'],
    ['password', { has_password: true }, 'set'],
    ['password', { has_password: false }, 'none'],
    [
      'rules',
      { rules: [{ if: { country: ['BR'] }, to: 'https://br.example/' }] },
      '1. Country: Brazil. Leads to https://br.example/',
    ],
  ])('%s of %o is “%s”', (name, settings, text) => {
    expect(describeSetting(name, settings)).toBe(text);
  });

  it('writes a time as a date', () => {
    const shown = describeSetting('expiresAt', { expires_at: '2027-01-05T02:03:04Z' });
    expect(shown).toMatch(/^Jan \d, 2027, /);
  });
});

describe('ForwardField', () => {
  function show(first: ForwardParams, error?: string) {
    const onParams = vi.fn<(params: ForwardParams) => void>();
    function Form() {
      const [params, setParams] = useState(first);
      onParams.mockImplementation(setParams);
      return <ForwardField params={params} onParams={onParams} error={error} />;
    }
    showPage(<Form />);
    return onParams;
  }

  it('remembers the names while another choice is tried', () => {
    const onParams = show(['ref', 'gclid']);
    expect(value('Names of parameters')).toBe('ref, gclid');
    type('Forward query parameters', 'none');
    expect(screen.queryByLabelText('Names of parameters')).toBeNull();
    type('Forward query parameters', 'listed');
    expect(onParams).toHaveBeenLastCalledWith(['ref', 'gclid']);
  });

  it.each([
    ['none', 'The link always leads to exactly this destination.'],
    ['all', 'Everything after the “?” of the short URL, except “qr”. They are added'],
  ] as const)('explains the choice %s', (params, hint) => {
    show(params);
    expect(screen.getByText(hint, { exact: false })).toBeTruthy();
  });

  it.each([
    [['ref'], 'Names of parameters'],
    ['all', 'Forward query parameters'],
  ] as const)('shows an error about %o once', (params, label) => {
    show(typeof params === 'string' ? params : [...params], 'Not this.');
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true');
  });
});

describe('LinkOptions', () => {
  it('the options are open for a link with a rarer setting', () => {
    serve(() => ({ templates: [] }));
    const show = (forwardParams: ForwardParams) =>
      renderPage(
        <LinkOptions
          longUrl="https://e.com/"
          onLongUrl={() => undefined}
          settings={{ forwardParams }}
          onSetting={() => undefined}
        />,
      );
    show('all');
    expect(screen.getByRole('button', { name: /^Campaign/ })).toBeTruthy();
    cleanup();
    show('none');
    expect(screen.queryByRole('button', { name: /^Campaign/ })).toBeNull();
  });
});

describe('UtmFields', () => {
  const MAIL: UtmTemplate = {
    id: 7,
    name: 'Mail',
    source: 'news',
    medium: '',
    campaign: '',
    term: '',
    content: '',
  };
  function show(
    longUrl: string,
    answer: (asked: Asked) => unknown = () => ({ templates: [MAIL] }),
  ) {
    const requests = serve(answer);
    const onUrl = vi.fn<(text: string) => void>();
    function Form() {
      const [url, setUrl] = useState(longUrl);
      onUrl.mockImplementation(setUrl);
      return <UtmFields longUrl={url} onLongUrl={onUrl} />;
    }
    showPage(<Form />);
    return { requests, onUrl };
  }

  it('spaces around a value are removed when its field is left', () => {
    const { onUrl } = show('https://e.com/');
    type('Source', 'news ');
    expect(value('Source')).toBe('news ');
    fireEvent.blur(screen.getByLabelText('Source'));
    expect(onUrl).toHaveBeenLastCalledWith('https://e.com/?utm_source=news');
  });

  it('saves one template with Enter, which is then the chosen one', async () => {
    let saved: UtmTemplate[] = [MAIL];
    const { requests } = show('https://e.com/?utm_source=x', ({ method }) => {
      if (method === 'GET') return { templates: saved };
      saved = [MAIL, { ...MAIL, id: 8, name: 'New' }];
      return saved[1];
    });
    await screen.findByText('Mail');
    await press('Save as template');
    const field = screen.getByLabelText('Name of the template');
    expect(document.activeElement).toBe(field);
    await press('Save template');
    expect(await screen.findByText('Enter a name.')).toBeTruthy();
    type('Name of the template', 'New');
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    act(() => void field.dispatchEvent(enter));
    fireEvent.keyDown(field, { key: 'Enter' });
    // Enter would submit the form of the link.
    expect(enter.defaultPrevented).toBe(true);
    await waitFor(() => expect(value('Template')).toBe('8'));
    expect(requests.filter((text) => text.startsWith('POST'))).toHaveLength(1);
    expect(takeToasts().map(({ text }) => text)).toEqual(['Template saved.']);
  });

  it('saves no template without values', async () => {
    show('https://e.com/');
    const list = screen.getByLabelText<HTMLSelectElement>('Template');
    expect(list.disabled).toBe(true);
    await screen.findByText('Mail');
    expect(list.disabled).toBe(false);
    expect(screen.getByText('Save as template').closest('button')?.disabled).toBe(true);
  });

  it('a deleted template can be restored, and is chosen no longer', async () => {
    let fails = false;
    const { requests } = show('https://e.com/', ({ method }) => {
      if (method === 'POST' && fails) return rejection(409, 'You have 20 templates.');
      return { templates: [MAIL] };
    });
    const choices = () => [...screen.getByLabelText<HTMLSelectElement>('Template').options];
    expect(choices()[0]?.text).toBe('No templates yet');
    await screen.findByText('Mail');
    expect(choices()[0]?.text).toBe('Choose a template');
    type('Template', '7');
    await press('Delete template');
    await waitFor(() => expect(value('Template')).toBe('0'));
    const [toast] = takeToasts();
    expect(toast?.text).toBe('Template deleted.');
    act(() => toast?.action?.onSelect());
    await waitFor(() => expect(requests.at(-2)).toContain('POST /api/utm-templates {"id":7'));
    fails = true;
    act(() => toast?.action?.onSelect());
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([{ text: 'You have 20 templates.', tone: 'bad' }]),
    );
  });

  it('says why a template was not deleted, and why one was not saved', async () => {
    show('https://e.com/', ({ method }) =>
      method === 'GET' ? { templates: [MAIL] } : rejection(503, `${method} failed.`),
    );
    await screen.findByText('Mail');
    type('Template', '7');
    await press('Delete template');
    expect(await screen.findByText('DELETE failed.')).toBeTruthy();
    await pressUnanswered('Delete template');
    const save = screen.getByRole('button', { name: 'Save as template' });
    fireEvent.click(save);
    expect([save.getAttribute('aria-expanded'), value('Name of the template')]).toEqual([
      'true',
      'Mail',
    ]);
    await press('Save template');
    expect(await screen.findByText('POST failed.')).toBeTruthy();
    await pressUnanswered('Save template');
    await press('Cancel');
    expect(screen.queryByLabelText('Name of the template')).toBeNull();
  });

  it('says that the templates could not be loaded, and tries again', async () => {
    let fails = true;
    show('https://e.com/', () => (fails ? rejection(503, 'Down.') : { templates: [MAIL] }));
    await screen.findByText('Your templates could not be loaded.');
    fails = false;
    await press('Retry');
    expect(await screen.findByText('Mail')).toBeTruthy();
  });
});

describe('CodeForm', () => {
  it('takes digits and spaces only, and forgets an error when another code is typed', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json(
        { code: 'otp_expired', message: 'This code has expired.' },
        { status: 403, headers: { 'X-Supabase-Api-Version': '2024-01-01' } },
      ),
    );
    showPage(<CodeForm email="a@example.com" type="signup" label="Code" />);
    type('Code', '12a 3');
    expect(value('Code')).toBe('12 3');
    await press('Continue');
    await screen.findByText('Enter all 6 digits of the code.');
    type('Code', '123 456');
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Continue');
    await screen.findByText(/^This code is wrong or has expired/);
    type('Code', '123 45');
    expect(screen.queryByRole('alert')).toBeNull();
    type('Code', '654 321');
    await pressUnanswered('Continue');
  });
});

describe('MailCheck', () => {
  it('sends a mail whose link opens the page, and asks for its code', async () => {
    let answer: () => void = () => undefined;
    const asked: string[] = [];
    vi.stubGlobal('fetch', (url: string) => {
      asked.push(url);
      return new Promise((resolve) => (answer = () => resolve(Response.json({}))));
    });
    const mail = { email: 'a@example.com', next: '/settings', intro: 'We send a code.' };
    showPage(<MailCheck {...mail} onDone={() => undefined} />);
    expect(screen.getByText('We send a code.')).toBeTruthy();
    await press('Email me a code');
    const button = screen.getByRole('button', { name: 'Email me a code' });
    expect(button.getAttribute('aria-busy')).toBe('true');
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(new URL(asked[0] ?? '').searchParams.get('redirect_to')).toMatch(/\/settings$/);
    answer();
    expect(await screen.findByLabelText('6-digit code')).toBeTruthy();
    expect(screen.getByText('We sent an email to a@example.com.')).toBeTruthy();
  });
});

describe('QrCode', () => {
  it('the QR code is loaded once for each code, and leads owners to the studio', async () => {
    const requests = serve(({ path }) => ({ qrCode: `data:${path}` }));
    const { rerender } = renderPage(<QrCode code="a" name="a" own />);
    await screen.findByAltText('QR code for the short URL a');
    rerender(<QrCode code="a" name="a" own />);
    expect(screen.getByText('Customize QR').getAttribute('href')).toBe('/qr/a');
    rerender(<QrCode code="b" name="b" own={false} />);
    await waitFor(() => expect(screen.getByRole('img').getAttribute('src')).toBe('data:/api/qr/b'));
    expect(requests).toEqual(['GET /api/qr/a', 'GET /api/qr/b']);
    expect(screen.queryByText('Customize QR')).toBeNull();
  });

  it('offers no download before the picture has loaded, and says that one failed', async () => {
    let respond: (body: unknown) => void = () => undefined;
    serve(() => new Promise((resolve) => (respond = resolve)));
    showPage(<QrCode code="a" name="a" own />);
    const download = screen.getByText('Download QR').closest('button');
    expect(download?.disabled).toBe(true);
    await waitFor(() => expect(fetch).toBeDefined());
    respond({ qrCode: 'data:image/svg+xml,<svg/>' });
    await screen.findByAltText('QR code for the short URL a');
    vi.spyOn(HTMLImageElement.prototype, 'decode').mockRejectedValue(new Error('broken'));
    fireEvent.click(download ?? document.body);
    expect(await screen.findByText('The image could not be created. Try again.')).toBeTruthy();
  });
});

describe('SettingsList', () => {
  const list = (items: readonly string[] | undefined, isError: boolean) => (
    <SettingsList
      query={{ isError, refetch: () => undefined }}
      items={items}
      noun="keys"
      skeleton={{ rows: 1, bars: [] }}
      empty={<p>No keys.</p>}
    >
      {(item) => <li key={item}>{item}</li>}
    </SettingsList>
  );
  it.each([
    [undefined, false, ['Loading your keys…']],
    [undefined, true, ['We couldn’t load your keys.']],
    [[], false, ['No keys.']],
    [[], true, ['We couldn’t load your keys.', 'No keys.']],
    [['a key'], false, ['a key']],
    [['a key'], true, ['We couldn’t load your keys.', 'a key']],
  ])('items %j (failed: %s) show %j', (items, isError, texts) => {
    showPage(list(items, isError));
    const all = ['Loading your keys…', 'We couldn’t load your keys.', 'No keys.', 'a key'];
    expect(all.filter((text) => screen.queryByText(text) !== null)).toEqual(texts);
  });
});

describe('SignOutEverywhere', () => {
  it('a dialog says that its request failed, and forgets it when it closes', async () => {
    signInAsMember();
    vi.stubGlobal('fetch', async () => new Response(null, { status: 500 }));
    const onClose = vi.fn();
    const { rerender } = renderPage(<SignOutEverywhere open onClose={onClose} />, ['/settings']);
    await press('Sign out everywhere');
    const text = /^We couldn’t sign you out on every device/;
    expect(await screen.findByText(text)).toBeTruthy();
    await press('Cancel');
    expect(onClose).toHaveBeenCalledOnce();
    rerender(<SignOutEverywhere open onClose={onClose} />);
    expect(screen.queryByText(text)).toBeNull();
    expect(currentAddress()).toBe('/settings');
    await pressUnanswered('Sign out everywhere');
  });

  it('confirms it and leaves the page of the member', async () => {
    signInAsMember();
    vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
    showPage(<SignOutEverywhere open onClose={() => undefined} />, '/settings');
    await press('Sign out everywhere');
    await waitFor(() => expect(currentAddress()).toBe('/'));
    expect(takeToasts()).toMatchObject([{ text: 'You are signed out on every device.' }]);
  });
});
