import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { Plus, Sun } from 'lucide-react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signInAsMember } from '#web/testing/session.ts';
import { renderPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { CommandPalette } from './command-palette.tsx';
import { linkCommands } from './link-commands.ts';
import { matchesSearch } from './palette-command.ts';

const link = (short_code: string, title: string) => ({
  short_code,
  title,
  long_url: `https://example.com/${short_code}`,
});
const LINKS = [
  link('newest', ''),
  link('191gq4m', 'Tea list'),
  { ...link('d.abcdefghjk/1', ''), short_url: 'https://go.example/1' },
  ...['2', '3', '4', '5', '6'].map((code) => link(code, '')),
];

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function show() {
  signInAsMember();
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    const search = new URL(path, 'http://localhost').searchParams.get('q') ?? '';
    if (search === 'broken')
      return Response.json({ error: 'Not now.', code: 'x', requestId: 'r' }, { status: 503 });
    if (search === 'slow') return new Promise(() => undefined);
    const urls = LINKS.filter(({ short_code: code }) => code.includes(search));
    return Response.json({ urls, nextCursor: null, totals: {} });
  });
  const spies = { create: vi.fn(), theme: vi.fn(), onOpen: vi.fn(), onClose: vi.fn() };
  const { client } = renderPage(
    <CommandPalette
      commands={[
        { id: 'new', label: 'Create link', icon: Plus, shortcut: 'c', run: spies.create },
        { id: 'light', label: 'Use the light theme', icon: Sun, words: 'mode', run: spies.theme },
      ]}
      onOpen={spies.onOpen}
      onClose={spies.onClose}
    />,
    ['/dashboard'],
  );
  const input = screen.getByRole('combobox');
  const type = (value: string) => fireEvent.change(input, { target: { value } });
  const press = (key: string) => fireEvent.keyDown(input, { key });
  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
  return { ...spies, type, press, options, asked, client };
}

describe('CommandPalette', () => {
  it('lists commands and the newest links, and filters both', async () => {
    const { type, options } = show();
    await waitFor(() => expect(options()).toHaveLength(9));
    expect(screen.getByText('Newest links')).toBeTruthy();
    await waitFor(() =>
      expect(options().slice(0, 5)).toEqual([
        'Create linkc',
        'Use the light theme',
        'newestexample.com/newest',
        '191gq4mTea listexample.com/191gq4m',
        'go.example/1example.com/d.abcdefghjk/1',
      ]),
    );
    expect(screen.queryByText(/^Nothing found/)).toBeNull();
    expect(screen.getByRole('combobox').getAttribute('maxlength')).toBe('100');
    type('mode');
    await waitFor(() => expect(options()).toEqual(['Use the light theme']));
    expect(screen.queryByText('Links')).toBeNull();
    type('t');
    await waitFor(() =>
      expect(options()).toEqual(['newestexample.com/newest', 'Use the light theme']),
    );
    expect(screen.getByText('Links')).toBeTruthy();
  });

  it('a change of the links reloads those that it lists', async () => {
    const { options, asked, client } = show();
    await waitFor(() => expect(options()).toHaveLength(9));
    await act(() => client.invalidateQueries({ queryKey: ['my-urls'] }));
    expect(asked).toEqual(['/api/my-urls', '/api/my-urls']);
  });

  it('finds a link and offers what can be done with it', async () => {
    const { type, press, options, onOpen, onClose } = show();
    type('gq4m ');
    await waitFor(() => expect(options()).toEqual(['191gq4mTea listexample.com/191gq4m']));
    expect(screen.getByRole('combobox')).toHaveProperty('value', 'gq4m ');
    press('Enter');
    await waitFor(() =>
      expect(options()).toEqual([
        'Open analytics',
        'Copy short URL',
        'Open QR code',
        'Preview destination',
        'Show in My URLs',
      ]),
    );
    expect(screen.getByRole('combobox', { name: 'Tea list' })).toBeTruthy();
    expect(screen.getByPlaceholderText('Tea list: choose')).toBeTruthy();
    press('ArrowDown');
    press('ArrowDown');
    press('Enter');
    await waitFor(() => expect(onOpen).toHaveBeenCalledWith('/qr/191gq4m'));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('Backspace goes from the commands of a link back to the search', async () => {
    const { type, press, options } = show();
    type('gq4m');
    await waitFor(() => expect(options()).toHaveLength(1));
    press('Enter');
    await waitFor(() => expect(options()[0]).toBe('Open analytics'));
    type('qr');
    await waitFor(() => expect(options()).toEqual(['Open QR code']));
    press('Backspace');
    type('');
    await waitFor(() => expect(options()[0]).toBe('Open analytics'));
    press('Backspace');
    await waitFor(() => expect(options()[0]).toBe('Create linkc'));
  });

  it('says that nothing was found, and that the search failed', async () => {
    const { type, press, onClose } = show();
    type('new&thing');
    await screen.findByText(/^Nothing found\./);
    type('slow');
    expect(screen.getByText('Searching…')).toBeTruthy();
    type('broken');
    await screen.findByText('Your links could not be searched. Not now.');
    press('Escape');
    expect(onClose).toHaveBeenCalledOnce();
  });
});

describe('linkCommands', () => {
  it('open pages of the link by its key, its preview, and the list by its code', async () => {
    const [open, opened] = [vi.fn(), vi.spyOn(window, 'open').mockReturnValue(null)];
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const sale = { short_code: 'd.k/sale', short_url: 'https://go.example/sale' };
    for (const command of linkCommands(sale, open)) command.run();
    expect(open.mock.calls.flat()).toEqual([
      '/analytics/d.k%2Fsale',
      '/qr/d.k%2Fsale',
      '/dashboard?q=sale',
    ]);
    expect(opened.mock.calls).toEqual([['https://go.example/sale+', '_blank', 'noopener']]);
    expect(copied.mock.calls).toEqual([['https://go.example/sale']]);
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Copied.' }]));
  });
});

describe('matchesSearch', () => {
  it.each([
    ['LIGHT the', true],
    ['mode', true],
    ['heme', false],
    ['light link', false],
  ])('finds “Use the light theme” by %s: %s', (search, found) => {
    const command = {
      id: '',
      label: 'Use the light theme',
      icon: Sun,
      words: 'mode',
      run: vi.fn(),
    };
    expect(matchesSearch(command, search)).toBe(found);
  });
});
