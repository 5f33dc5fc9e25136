import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LinkHistory, ListedLink } from '#contract/links/links.ts';
import type { Tag } from '#contract/links/tags.ts';
import { changeFirstSteps } from '#web/shared/links/stored-first-steps.ts';
import { DEAD, makeLink, PLAIN_REDIRECT } from '#web/testing/make-link.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { currentAddress, press, pressUnanswered, renderPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { LinkDialog } from './link-dialogs.tsx';
import { useLinkFilters } from './link-filters.ts';
import type { DialogAction } from './link-row.tsx';
import { TagsDialog } from './tags-dialog.tsx';
import { ViewsDialog } from './views-dialog.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  takeToasts();
});

/** Opens a dialog of a link. `answer` responds to changes. */
async function open(
  action: DialogAction,
  link: Partial<ListedLink> = {},
  answer: (asked: Asked) => unknown = () => ({}),
) {
  const onClose = vi.fn<() => void>();
  const requests = serve((asked) => (asked.path === '/api/tags' ? { tags: [] } : answer(asked)));
  renderPage(<LinkDialog link={makeLink(link)} action={action} onClose={onClose} />);
  const dialog = within(await screen.findByRole('dialog'));
  return { onClose, dialog, changes: () => requests.filter((text) => !text.startsWith('GET')) };
}
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const isDisabled = (label: string) => screen.getByText(label).closest('button')?.disabled;

describe('edit dialog of a link', () => {
  it('sends what changed, without spaces around the target', async () => {
    const { changes, onClose } = await open('edit', { note: 'old', title: 'T' });
    expect(screen.getByText('hop.example/abc')).toBeTruthy();
    type('Destination', ' https://example.com/b ');
    type('Note (optional)', '');
    await press('Save link');
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(changes()).toEqual([
      'PATCH /api/links/abc {"longUrl":"https://example.com/b","note":""}',
    ]);
    expect(takeToasts()).toMatchObject([{ text: 'Link saved.' }]);
  });

  it('keeps a stored password that nobody can read, until it is replaced or removed', async () => {
    const { changes } = await open('edit', { has_password: true });
    await press(/^Password and click limit/);
    const password = await screen.findByRole('group', { name: 'Password' });
    expect(password.textContent).toContain('Password: set');
    await press('Change or remove password');
    type('Password (optional)', 'draft');
    await press('Keep the present password');
    await press('Change or remove password');
    await press('Save link');
    await waitFor(() => expect(changes()).toEqual(['PATCH /api/links/abc {"password":""}']));
  });

  it('sends a new password', async () => {
    const { changes } = await open('edit', { expires_at: '2099-01-01T00:00:00Z' });
    await press('More options');
    await press(/^Password and click limit/);
    fireEvent.change(await screen.findByLabelText('Password (optional)'), {
      target: { value: 'open sesame' },
    });
    await press('Save link');
    await waitFor(() =>
      expect(changes()).toEqual(['PATCH /api/links/abc {"password":"open sesame"}']),
    );
  });

  it('saves no link without a destination, and closes without changes', async () => {
    const { changes, onClose } = await open('edit');
    type('Destination', '  ');
    await press('Save link');
    expect(screen.getByRole('alert').textContent).toBe('Enter a destination.');
    expect(onClose).not.toHaveBeenCalled();
    type('Destination', ' https://example.com/a ');
    await press('Save link');
    expect(onClose).toHaveBeenCalledOnce();
    expect(changes()).toEqual([]);
  });

  it.each([
    [null, null],
    [DEAD, /^Last check on Nov 20, 2026.*: The destination answered 404\.$/],
    [
      { ...DEAD, replacedUrl: 'https://example.com/home' },
      /^This is the fallback of your destination, example\.com\/home\. .* Last check on/,
    ],
  ])('describes the destination by its last check: %j', async (found, text) => {
    await open('edit', { health: found, watch: 'on' });
    const id = screen.getByLabelText('Destination').getAttribute('aria-describedby');
    const hint = id === null ? null : (document.getElementById(id)?.textContent ?? '');
    if (text === null) expect(hint).toBeNull();
    else expect(hint).toMatch(text);
  });

  it.each([
    ['title', 'Title (optional)'],
    ['tags.0', 'Tags (optional)'],
    ['longUrl', 'Destination'],
  ])('shows an error about %s once, at its field', async (field, label) => {
    const { onClose } = await open('edit', {}, () => rejection(400, 'Not this.', { field }));
    type('Title (optional)', 'x');
    await press('Save link');
    await waitFor(() => expect(screen.getAllByText('Not this.')).toHaveLength(1));
    const invalid = screen.getByLabelText(label);
    expect(invalid.getAttribute('aria-invalid')).toBe('true');
    await waitFor(() => expect(document.activeElement).toBe(invalid));
    expect(onClose).not.toHaveBeenCalled();
  });
});

describe('rename dialog', () => {
  it('needs another code, and can return to an earlier one', async () => {
    const { changes } = await open('rename', { earlier_codes: ['one', 'two'] });
    const submit = screen.getByText('Rename link', { selector: 'button *' }).closest('button');
    fireEvent.click(submit ?? document.body);
    expect(screen.getByRole('alert').textContent).toMatch(/^This is the link’s code already/);
    type('New code', '  ');
    expect(screen.getByRole('alert').textContent).toBe('Enter a code.');
    type('New code', ' new ');
    fireEvent.click(submit ?? document.body);
    await waitFor(() => expect(changes()).toEqual(['PATCH /api/links/abc {"customCode":"new"}']));
    await waitFor(() =>
      expect(screen.getByLabelText('Use two again')).toHaveProperty('disabled', false),
    );
    fireEvent.click(screen.getByLabelText('Use two again'));
    await waitFor(() => expect(changes()[1]).toBe('PATCH /api/links/abc {"customCode":"two"}'));
  });

  it.each([
    [0, true],
    [4, true],
    [5, false],
  ])('a link with %i earlier codes can have another code: %s', async (count, can) => {
    const codes = Array.from({ length: count }, (_, at) => `c${at}`);
    await open('rename', { earlier_codes: codes });
    expect(screen.queryByLabelText('New code') !== null).toBe(can);
    const isListed = screen.queryByRole('region', { name: 'Earlier codes' }) !== null;
    expect(isListed).toBe(count > 0);
  });

  it('an error about the code is shown without a field for it, too', async () => {
    const codes = ['c1', 'c2', 'c3', 'c4', 'c5'];
    await open('rename', { earlier_codes: codes }, () =>
      rejection(409, 'Taken.', { field: 'customCode' }),
    );
    fireEvent.click(screen.getByLabelText('Use c3 again'));
    expect(await screen.findByText('Taken.')).toBeTruthy();
  });
});

describe('dialog that disables a link', () => {
  it.each([
    [
      'active',
      'Disable link',
      '{"enabled":false}',
      'Link disabled.',
      /^Disable this link\?abc will stop/,
    ],
    [
      'disabled',
      'Enable link',
      '{"enabled":true}',
      'Link enabled.',
      /^Enable this link\?abc will redirect/,
    ],
  ] as const)('an %s link gets the opposite state', async (status, label, body, text, asks) => {
    const short_url = 'https://hop.example/abc';
    const { changes, onClose } = await open('toggle', { short_code: 'd.k/abc', short_url, status });
    expect(screen.getByRole('dialog').textContent).toMatch(asks);
    const { className } = screen.getByRole('button', { name: label });
    expect(className.includes('bg-bad')).toBe(status === 'active');
    await press(label);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(changes()).toEqual([`PATCH /api/links/d.k%2Fabc ${body}`]);
    expect(takeToasts()).toMatchObject([{ text }]);
  });
});

describe('history of a link', () => {
  const state = {
    short_code: 'abc',
    domain: '',
    long_url: 'https://example.com/a',
    ...PLAIN_REDIRECT,
    status: 'active' as const,
    title: '',
    note: '',
    tags: [],
    archived: false,
    card_at: null,
  };
  const changes: LinkHistory['changes'] = [
    {
      isPasswordReplaced: false,
      at: '2026-11-03T10:00:00Z',
      keyName: 'Deploy',
      isByWatcher: false,
      before: { ...state, title: 'Old' },
      after: state,
    },
    {
      isPasswordReplaced: false,
      at: '2026-11-02T10:00:00Z',
      keyName: '',
      isByWatcher: false,
      before: state,
      after: state,
    },
  ];

  it('names every kind of change', async () => {
    const before = { ...state, short_code: 'd.abcdefghjk/old', tags: ['a', 'b'] };
    const card_at = '2026-11-01T10:00:00Z';
    const after = { ...state, short_code: 'd.abcdefghjk/new', card_at };
    const change = { ...changes[0], before, after: { ...after, status: 'disabled' } };
    const { dialog } = await open('history', {}, () => ({ changes: [change] }));
    const [first] = await dialog.findAllByRole('listitem');
    expect(first?.textContent).toMatch(
      /DeployCode: old → newState: active → disabledPreview card: none → of Nov 1.*Tags: a, b → none/,
    );
    expect(dialog.getByRole('button', { name: /^Restore the version before Nov 3/ })).toBeTruthy();
    expect(dialog.getByText('hop.example/abc')).toBeTruthy();
  });

  it('says who changed what, and restores the state before', async () => {
    const { dialog, changes: sent } = await open('history', { note: 'N' }, ({ method }) =>
      method === 'GET' ? { changes } : {},
    );
    const [first, second, created] = await dialog.findAllByRole('listitem');
    expect(first?.textContent).toMatch(/, by the API key DeployTitle: Old → noneRestore$/);
    expect(second?.textContent).toMatch(/, by youTags that were deleted sinceRestore$/);
    expect(created?.textContent).toMatch(/^Created Nov 1, 2026/);
    fireEvent.click(within(first ?? document.body).getByText('Restore'));
    await waitFor(() => expect(sent()).toEqual(['PATCH /api/links/abc {"title":"Old","note":""}']));
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([{ text: 'Earlier version restored.' }]),
    );
  });

  it('a change after a check is by Hop, and names both destinations', async () => {
    const home = { ...state, long_url: 'https://example.com/home', watch: 'on' as const };
    const byHop = {
      isPasswordReplaced: false,
      at: '2026-11-04T10:00:00Z',
      keyName: '',
      isByWatcher: true,
      before: { ...home, watch_fallback: 'archive' },
      after: { ...home, watch_fallback: 'archive', long_url: 'https://web.archive.org/web/2/a' },
    };
    const { dialog } = await open('history', {}, () => ({ changes: [byHop] }));
    const [first] = await dialog.findAllByRole('listitem');
    expect(first?.textContent).toMatch(
      /, by Hop, after a check of the destinationDestination: example\.com\/home → web\.archive\.org\/web\/2\/a/,
    );
  });

  it('says that a password was replaced, which it does not restore', async () => {
    const locked = { ...state, has_password: true };
    const [change] = changes.map((one) => ({ ...one, before: locked, after: locked }));
    const { dialog } = await open('history', { has_password: true }, () => ({
      changes: [{ ...change, isPasswordReplaced: true }],
    }));
    const [first] = await dialog.findAllByRole('listitem');
    expect(first?.textContent).toMatch(/by the API key DeployPassword changed$/);
  });

  it('offers no state that the link has already', async () => {
    const { dialog } = await open('history', {}, () => ({ changes }));
    const [first, second] = await dialog.findAllByRole('listitem');
    expect(first?.textContent).toContain('Restore');
    expect(second?.textContent).not.toContain('Restore');
  });
});

describe('TagsDialog', () => {
  const TAGS: Tag[] = [
    { id: 1, name: 'one', color: 'blue' },
    { id: 2, name: 'two', color: 'red' },
  ];
  async function show(answer: (asked: Asked) => unknown = () => ({})) {
    const requests = serve((asked) => (asked.method === 'GET' ? { tags: TAGS } : answer(asked)));
    renderPage(<TagsDialog onShare={() => undefined} onClose={() => undefined} />);
    const field = await screen.findByLabelText<HTMLInputElement>('Name of the tag one');
    return { field, changes: () => requests.filter((text) => !text.startsWith('GET')) };
  }

  it('renames a tag when its field is left, and keeps the name if it is empty', async () => {
    const { field, changes } = await show();
    fireEvent.change(field, { target: { value: ' ' } });
    fireEvent.blur(field);
    expect(field.value).toBe('one');
    fireEvent.change(field, { target: { value: ' new ' } });
    fireEvent.change(field, { target: { value: ' one ' } });
    fireEvent.blur(field);
    fireEvent.change(field, { target: { value: ' new ' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(changes()).toEqual(['PATCH /api/tags/1 {"name":"new"}']));
  });

  it('keeps a new name that is rejected, beside the reason', async () => {
    const { field } = await show(() => rejection(409, 'Another tag has this name.'));
    fireEvent.change(field, { target: { value: 'two' } });
    fireEvent.blur(field);
    await screen.findByText('Another tag has this name.');
    expect(field.value).toBe('two');
  });

  it('merges a tag into another one, never into itself', async () => {
    const { changes } = await show();
    const select = screen.getByLabelText<HTMLSelectElement>('Merge the tag one into');
    expect([...select.options].map(({ value }) => value)).toEqual(['', '2']);
    fireEvent.change(select, { target: { value: '2' } });
    await waitFor(() => expect(changes()).toEqual(['POST /api/tags/1/merge {"into":2}']));
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([{ text: 'Tag “one” merged into “two”.' }]),
    );
  });

  it('asks before it deletes a tag', async () => {
    const { changes } = await show();
    fireEvent.click(screen.getByLabelText('Delete the tag two'));
    await press('Cancel');
    expect(screen.queryByText('Delete tag')).toBeNull();
    fireEvent.click(screen.getByLabelText('Delete the tag two'));
    expect(changes()).toEqual([]);
    await press('Delete tag');
    await waitFor(() => expect(changes()).toEqual(['DELETE /api/tags/2']));
    cleanup();
    serve(() => ({ tags: [] }));
    renderPage(<TagsDialog onShare={() => undefined} onClose={() => undefined} />);
    expect(await screen.findByText(/^You have no tags yet\./)).toBeTruthy();
  });
});

describe('ViewsDialog', () => {
  const VIEWS = [
    { id: 1, name: 'Spring', filters: { tag: 'spring' } },
    { id: 2, name: 'Old', filters: { tag: 'spring', sort: 'created' } },
  ];
  async function show(address: string, answer: (asked: Asked) => unknown = () => ({})) {
    const requests = serve((asked) => (asked.method === 'GET' ? { views: VIEWS } : answer(asked)));
    const onClose = vi.fn<() => void>();
    const Page = () => <ViewsDialog list={useLinkFilters()} onClose={onClose} />;
    renderPage(<Page />, [address]);
    await screen.findByText('Old');
    const ask = (isRead: boolean) => requests.filter((text) => text.startsWith('GET') === isRead);
    return { onClose, changes: () => ask(false), loads: () => ask(true).length };
  }

  it('opens a view in place of all present filters', async () => {
    const { onClose } = await show('/dashboard?q=a&host=b.example&sort=code&page=x');
    fireEvent.click(screen.getByLabelText('Open the view Spring'));
    expect(currentAddress()).toBe('/dashboard?page=x&tag=spring');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('marks the view that is shown', async () => {
    await show('/dashboard?tag=spring');
    const current = ['Spring', 'Old'].map((name) =>
      screen.getByLabelText(`Open the view ${name}`).getAttribute('aria-current'),
    );
    expect(current).toEqual(['true', null]);
    expect(screen.getByText('Tag spring · Oldest first')).toBeTruthy();
  });

  it('saves the filters under a name, and says which view it replaces', async () => {
    const { changes, onClose } = await show('/dashboard?tag=a');
    type('Save the current list as', ' SPRING ');
    expect(screen.getByText('Replaces the view with this name.')).toBeTruthy();
    await press('Save view');
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(changes()).toEqual(['POST /api/views {"name":"SPRING","filters":{"tag":"a"}}']);
  });

  it('saves no view of the whole list, and none without a name', async () => {
    await show('/dashboard');
    expect(screen.getByText(/^To save a view, first search/)).toBeTruthy();
    expect(screen.queryByText('Save view')).toBeNull();
    cleanup();
    const { changes } = await show('/dashboard?tag=a');
    type('Save the current list as', ' ');
    await press('Save view');
    expect(screen.getByText('Enter a name.')).toBeTruthy();
    expect(changes()).toEqual([]);
  });

  it('deletes a view, or says why not', async () => {
    let fails = true;
    const { changes, loads } = await show('/dashboard', () =>
      fails ? rejection(503, 'Down.') : {},
    );
    await press('Delete the view Old');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Down.', tone: 'bad' }]));
    fails = false;
    await press('Delete the view Old');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'View “Old” deleted.' }]));
    expect(changes()[1]).toBe('DELETE /api/views/2');
    expect(loads()).toBe(2);
    await pressUnanswered('Delete the view Spring');
  });
});

describe('QR code of a link', () => {
  it('prints and downloads nothing before the picture has loaded', async () => {
    let respond: (body: unknown) => void = () => undefined;
    let asked = '';
    await open(
      'qr',
      { short_code: 'd.k/abc', short_url: 'https://hop.example/abc' },
      ({ path }) => {
        asked = path;
        return new Promise((resolve) => (respond = resolve));
      },
    );
    expect(screen.getByRole('dialog', { name: 'QR code of abc' })).toBeTruthy();
    expect(asked).toBe('/api/qr/d.k%2Fabc');
    expect([isDisabled('Print'), isDisabled('Download QR')]).toEqual([true, true]);
    respond({ qrCode: 'data:image/svg+xml,<svg/>' });
    await waitFor(() => expect(isDisabled('Print')).toBe(false));
    expect(isDisabled('Download QR')).toBe(false);
    expect(screen.getByText('Customize QR').closest('a')?.getAttribute('href')).toBe(
      '/qr/d.k%2Fabc',
    );
    expect(screen.getByText('hop.example/abc')).toBeTruthy();
    changeFirstSteps({ hasQr: false });
    const print = vi.fn<() => void>();
    vi.stubGlobal('print', print);
    await press('Print');
    expect(print).toHaveBeenCalledOnce();
    expect(localStorage.getItem('hop.first-steps')).toContain('"hasQr":true');
    cleanup();
    await open('qr', {}, () => rejection(503, 'Down.'));
    expect(await screen.findByText('The QR code could not be loaded.')).toBeTruthy();
  });
});
