import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { UtmTemplate } from '#contract/presets/utm-templates.ts';
import { LinkOptions } from './link-options.tsx';
import type { SettingChanges, SettingErrorAt } from './link-settings.ts';
import { SettingFields } from './setting-fields.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const TEMPLATE: UtmTemplate = {
  id: 7,
  name: 'Mail',
  source: 'News',
  medium: 'email',
  campaign: '',
  term: '',
  content: '',
};

/** Shows a form with these options on a server that has `TEMPLATE`. `requests` are the writes. */
function show(longUrl: string, settings: SettingChanges = {}, errorAt?: SettingErrorAt) {
  const requests: string[] = [];
  const answer = (
    path: string,
    { method = 'GET', body = '' }: { method?: string; body?: string } = {},
  ): Promise<Response> => {
    if (method === 'GET') return Promise.resolve(Response.json({ templates: [TEMPLATE] }));
    requests.push(`${method} ${path} ${body}`);
    return Promise.resolve(Response.json({ ...TEMPLATE, id: 8, name: 'New' }, { status: 201 }));
  };
  vi.stubGlobal('fetch', vi.fn(answer));
  const state = { longUrl, settings };
  function Form() {
    const [, refresh] = useState(0);
    const set = (change: Partial<typeof state>): void => {
      Object.assign(state, change);
      refresh((n) => n + 1);
    };
    return (
      <LinkOptions
        {...state}
        errorAt={errorAt}
        onLongUrl={(text) => set({ longUrl: text })}
        onSetting={(name, value) => set({ settings: { ...state.settings, [name]: value } })}
      />
    );
  }
  render(<Form />);
  return { state, requests };
}
const press = (name: string | RegExp): void =>
  void fireEvent.click(screen.getByRole('button', { name }));
/** Opens “More options”, and a group there. */
const open = (group: RegExp): void => {
  press('More options');
  press(group);
};
const type = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });

describe('LinkOptions', () => {
  it('writes UTM values into the long link in lower case, each once, unless off', () => {
    const { state } = show('https://e.com/?a=1#x');
    open(/^Campaign/);
    type('Source', 'Spring Mail');
    type('Source', 'News');
    expect(state.longUrl).toBe('https://e.com/?a=1&utm_source=news#x');
    fireEvent.click(
      screen.getByRole('checkbox', {
        name: 'Write values in lower case',
        description: 'Analytics tools count “Email” and “email” separately.',
      }),
    );
    type('Campaign', 'Sale');
    expect(state.longUrl).toBe('https://e.com/?a=1&utm_source=news&utm_campaign=Sale#x');
    expect(screen.getByText(state.longUrl)).toBeTruthy();
    type('Source', '');
    expect(state.longUrl).toBe('https://e.com/?a=1&utm_campaign=Sale#x');
  });

  it('the options are open for a link that has UTM values, and closed for others', () => {
    show('https://e.com/?utm_source=a%20b');
    press('Campaign (UTM) a b');
    expect(screen.getByLabelText<HTMLInputElement>('Source').value).toBe('a b');
    cleanup();
    show('https://e.com/');
    expect(screen.queryByText('Campaign (UTM)')).toBeNull();
  });

  it('fills in a template beside other values, and saves and deletes templates', async () => {
    const { state, requests } = show('https://e.com/?utm_campaign=own');
    press(/^Campaign/);
    await screen.findByRole('option', { name: 'Mail' });
    type('Template', '7');
    expect(state.longUrl).toBe('https://e.com/?utm_campaign=own&utm_source=news&utm_medium=email');
    fireEvent.click(screen.getByRole('button', { name: 'Save as template' }));
    expect(
      screen.getByRole('textbox', { description: 'A template with the same name is replaced.' }),
    ).toBe(screen.getByLabelText('Name of the template'));
    type('Name of the template', 'New');
    fireEvent.keyDown(screen.getByLabelText('Name of the template'), { key: 'Enter' });
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]).toContain('"campaign":"own"');
    await waitFor(() => expect(screen.queryByLabelText('Name of the template')).toBeNull());
    await screen.findByRole('option', { name: 'Mail' });
    type('Template', '7');
    fireEvent.click(screen.getByRole('button', { name: 'Delete template' }));
    await waitFor(() => expect(requests[1]).toContain('DELETE /api/utm-templates/7'));
  });

  it('the options forward none, all or the listed parameters', () => {
    const { state } = show('https://e.com/');
    open(/^Redirect/);
    type('Forward query parameters', 'all');
    expect(state.settings.forwardParams).toBe('all');
    type('Forward query parameters', 'listed');
    type('Names of parameters', 'ref, gclid ref');
    expect(state.settings.forwardParams).toEqual(['ref', 'gclid']);
    type('Forward query parameters', 'none');
    expect(state.settings.forwardParams).toBeUndefined();
    // The names that were typed are still in their field.
    type('Forward query parameters', 'listed');
    expect(state.settings.forwardParams).toEqual(['ref', 'gclid']);
  });

  it('the options wait for a long link', () => {
    show('', { forwardParams: 'all' });
    press(/^Campaign/);
    expect(
      screen.getByRole<HTMLFieldSetElement>('group', { name: 'Campaign (UTM)' }).disabled,
    ).toBe(true);
    expect(screen.getByText('Paste a link first.')).toBeTruthy();
  });
});

describe('groups of options', () => {
  it('say what is set while they are folded, and what they are for otherwise', () => {
    show('https://e.com/', {
      password: true,
      clickLimit: 1_000,
      clickLimitOpen: true,
      rules: [],
      watch: 'on',
    });
    expect(
      screen.getByRole('button', { name: 'Password and click limit 1,000 clicks · Password' }),
    ).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Destination checks On' })).toBeTruthy();
    const folded = [
      'Rules and variants Send some visitors elsewhere, or divide them.',
      'Start and fallback When it starts, and where it leads after its end.',
      'Redirect Status, forwarded parameters, misspelled codes.',
      'Test it Where would these settings send a visitor? Nothing is saved.',
    ];
    for (const name of folded) expect(screen.getByRole('button', { name })).toBeTruthy();
    expect(screen.queryByLabelText('Destination checks')).toBeNull();
  });

  it('keep what was typed and only there when they are folded and opened again', async () => {
    show('https://e.com/', { password: true });
    press(/^Password and/);
    fireEvent.click(await screen.findByText('Change or remove password'));
    press(/^Password and/);
    press('More options');
    press('More options');
    press(/^Password and/);
    expect(screen.getByText('Keep the present password').closest('[hidden]')).toBeNull();
  });

  it('open for a field with an error', async () => {
    show('https://e.com/', {}, (path) => (path === 'clickLimit' ? 'Too many.' : undefined));
    expect(await screen.findByText('Too many.')).toBeTruthy();
    expect(screen.getByText('Too many.').closest('[hidden]')).toBeNull();
    expect(screen.queryByLabelText('Redirect status')).toBeNull();
  });
});

describe('SettingFields', () => {
  /** Shows the field of an end date and returns the values that it reports. */
  function showEnd(expiresAt: number | null) {
    const times: unknown[] = [];
    function Form() {
      const [time, setTime] = useState<unknown>(expiresAt);
      return (
        <SettingFields
          place="above tags"
          settings={{ expiresAt: typeof time === 'number' ? time : null }}
          onSetting={(_, value) => {
            times.push(value);
            setTime(value);
          }}
        />
      );
    }
    render(<Form />);
    return times;
  }
  const END = 'End date (optional)';
  const shown = (): string => screen.getByLabelText<HTMLInputElement>(END).value;

  it('a time is shown in the reader’s time zone and reported in ms', () => {
    const times = showEnd(new Date('2027-01-05T02:03').getTime());
    expect(shown()).toBe('2027-01-05T02:03');
    type(END, '2027-02-01T12:00');
    expect(shown()).toBe('2027-02-01T12:00');
    type(END, '');
    expect(shown()).toBe('');
    expect(times).toEqual([new Date('2027-02-01T12:00').getTime(), undefined]);
  });

  it('a time keeps its seconds if its minute is typed again', () => {
    const end = new Date('2027-01-05T02:03:04').getTime();
    const times = showEnd(end);
    type(END, '');
    type(END, '2027-01-05T02:03');
    expect(shown()).toBe('2027-01-05T02:03');
    expect(times).toEqual([undefined, end]);
  });
});
