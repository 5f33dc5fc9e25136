import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { typeInto } from '#web/testing/describe-forms.ts';
import type {
  ImportCheckRequest,
  ImportRequest,
  ImportSourceRequest,
} from '#contract/files/import.ts';
import { deleteStoredImport } from '#web/shared/session/import-database.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { useAnnouncement } from '#web/ui/announcer.ts';
import { ImportPage } from './import-page.tsx';

type Body = ImportCheckRequest | ImportRequest;
const ME = { id: 'id of a@example.com', email: 'a@example.com', role: 'user', plan: 'free' };

/** A server on which only the code `taken` is taken. It responds to imports while `isUp()`. */
function serve(isUp = () => true, canCheck = true) {
  const requests: [path: string, body: Body, signal: AbortSignal | undefined][] = [];
  vi.stubGlobal('fetch', async (path: string, init?: { body?: string; signal?: AbortSignal }) => {
    if (path === '/api/me') return Response.json(ME);
    if (path === '/api/tags')
      return Response.json({
        tags: Array.from({ length: 99 }, (_, id) => ({ id, name: `t${id}`, color: 'gray' })),
      });
    const body: Body = JSON.parse(init?.body ?? 'null');
    requests.push([path, body, init?.signal]);
    if (!canCheck && path.endsWith('/check'))
      return Response.json({ error: 'You may not do this.', code: 'forbidden' }, { status: 403 });
    if (path.endsWith('/check'))
      return Response.json({
        room: 25,
        lines: body.rows.map(({ line, code }) =>
          code === 'taken'
            ? {
                line,
                verdict: 'taken',
                code,
                suffixed: 'taken-2',
                error: 'Another link has this code.',
              }
            : { line, verdict: 'new', code: code ?? null },
        ),
      });
    if (!isUp())
      return Response.json(
        { error: 'Your account is suspended.', code: 'forbidden' },
        { status: 403 },
      );
    return Response.json({
      usage: null,
      lines: body.rows.map(({ line, code }) =>
        code === 'taken'
          ? { line, verdict: 'skipped', error: 'Another link has this code.' }
          : { line, verdict: 'created', code: code ?? `gen-${line}` },
      ),
    });
  });
  return requests;
}

/** What the page has announced last. */
const Announced = () => <p id="announced">{useAnnouncement()}</p>;
const announced = () => document.querySelector('#announced')?.textContent.trim();

function show(): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <ImportPage />
        <Announced />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}
async function paste(text: string): Promise<void> {
  fireEvent.change(await screen.findByLabelText('Or paste rows'), { target: { value: text } });
  fireEvent.click(screen.getByRole('button', { name: 'Read rows' }));
}
const press = async (name: string): Promise<void> =>
  void fireEvent.click(await screen.findByRole('button', { name }));

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

/**
 * A server whose source has pages of one link, and says that it has `total` of them. The page with
 * `failing` is refused, and that with `slow` comes after `respond()`.
 */
function serveSource(
  pages: number,
  { failing = -1, field = 'key', slow = -1, total = pages } = {},
) {
  const requests: ImportSourceRequest[] = [];
  const waiting: { respond?: () => void } = {};
  vi.stubGlobal('fetch', async (path: string, init?: { body?: string }) => {
    if (path === '/api/me') return Response.json(ME);
    const body: ImportSourceRequest = JSON.parse(init?.body ?? 'null');
    requests.push(body);
    const { cursor } = body;
    if (cursor === failing)
      return Response.json(
        { error: 'The server does not accept this API key.', code: 'invalid_body', field },
        { status: 400 },
      );
    if (cursor === slow) await new Promise<void>((resolve) => (waiting.respond = resolve));
    const links = [{ shortCode: `c${cursor}`, longUrl: `https://example.com/${cursor}` }];
    const next = cursor + 1 < pages ? cursor + 1 : null;
    return Response.json({ links: pages === 0 ? [] : links, total, next });
  });
  return { requests, waiting };
}
async function readServer(): Promise<void> {
  await typeInto('Address of the server', 's.example.com');
  await typeInto('API key', ' k ');
  await press('Read links');
}

describe('ImportPage with a server', () => {
  it('reads every page of another service, and shows its links', async () => {
    const { requests, waiting } = serveSource(3, { slow: 2, total: 10_000 });
    show();
    await press('Read links');
    expect(screen.getByText('Enter the address of the server.')).toBeTruthy();
    expect(screen.getByText('Enter the API key.')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Service'), { target: { value: 'kutt' } });
    await readServer();
    await screen.findByText('2 of 10,000 links read');
    expect(screen.getByText('Read links').closest('[aria-busy="true"]')).not.toBeNull();
    waiting.respond?.();
    await screen.findByRole('heading', { name: '3 rows from Shlink' });
    expect(requests).toEqual(
      [0, 1, 2].map((cursor) => ({ source: 'kutt', address: 's.example.com', key: 'k', cursor })),
    );
    expect(JSON.stringify([localStorage, sessionStorage])).not.toContain('"k"');
  });

  it('says at its field that a key is refused, and reads no more than it can import', async () => {
    serveSource(3, { failing: 1 });
    show();
    await readServer();
    await screen.findByText('The server does not accept this API key.');
    const [error = ''] =
      screen.getByLabelText('API key').getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(document.querySelector(`[id="${error}"]`)?.textContent).toMatch(
      /^The server does not accept/,
    );
    // The next attempt starts from nothing.
    serveSource(3, { slow: 0 });
    await press('Read links');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy());
    expect(screen.queryByText(/ links read$/)).toBeNull();
    cleanup();
    const { requests } = serveSource(10_001);
    show();
    await readServer();
    await screen.findByText(/^There are 10,001 links on this server\./);
    expect(requests).toHaveLength(1);
    serveSource(0);
    await press('Read links');
    await screen.findByText('There are no links on this server.');
  });

  it('stops without an error', async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
      signals.push(signal);
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new DOMException('Aborted.', 'AbortError'))),
      );
    });
    show();
    await readServer();
    await press('Stop');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull());
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Read links');
    await waitFor(() => expect(signals).toHaveLength(2));
    cleanup();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    // A stop hides no later error.
    show();
    await readServer();
    await press('Stop');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull());
    serveSource(3, { failing: 0, field: 'address' });
    await press('Read links');
    await screen.findByText('The server does not accept this API key.');
    expect(screen.getByLabelText('Address of the server').getAttribute('aria-invalid')).toBe(
      'true',
    );
  });
});

describe('ImportPage', () => {
  it('reads, checks and imports pasted rows, with the choice for taken codes', async () => {
    const requests = serve();
    show();
    await paste('name;code\nSpring;one');
    expect((await screen.findByRole('alert')).textContent).toMatch(/\.$/);
    await paste(
      'url;code;tags;expires\nhttps://example.com/1;one;new, newer, T98;2020-01-01\nhttps://example.com/2;taken;;\n;three;;',
    );
    const file = await screen.findByRole('heading', { name: /^3 rows from/ });
    expect([announced(), document.activeElement?.contains(file)]).toEqual(['3 rows read.', true]);
    await screen.findByText(/^This file has 2 new tags, and your account has room for 1\./);
    await press('Check rows');
    const result = await screen.findByRole('heading', { name: 'What the import will do' });
    expect([announced(), document.activeElement?.contains(result)]).toEqual([
      'The rows are checked.',
      true,
    ]);
    expect(document.activeElement?.contains(file)).toBe(false);
    expect(screen.getByText('Has ended, so it will not redirect.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Import 1 link' })).toBeTruthy();
    const list = screen.getByRole('list', { name: 'Rows' });
    expect(within(list).getAllByRole('listitem')[1]?.textContent).toMatch(
      /^Line 3takenCode unavailable/,
    );
    fireEvent.click(screen.getByRole('radio', { name: 'Add a number' }));
    expect(within(list).getAllByRole('listitem')[1]?.textContent).toContain('/taken-2');
    fireEvent.click(screen.getByRole('radio', { name: 'Skip these rows' }));
    await press('Import 1 link');
    await screen.findByRole('heading', { name: /^1 link imported from/ });
    expect(
      screen.getByText('1 skipped, because the code is not available, 1 not imported.'),
    ).toBeTruthy();
    await waitFor(() => expect(announced()).toBe('The import is finished.'));
    expect(screen.queryByRole('button', { name: /^Import the other/ })).toBeNull();
    expect(requests.map(([path]) => path)).toEqual([
      '/api/links/import/check',
      '/api/links/import',
    ]);
    expect(requests[1]?.[1]).toMatchObject({
      format: 'csv',
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      collisions: 'skip',
      rows: [{ line: 1, code: 'one' }, { line: 2 }],
    });
    fireEvent.click(screen.getByRole('button', { name: /^Unreadable/ }));
    expect(
      within(screen.getByRole('list', { name: 'Rows' })).getAllByRole('listitem'),
    ).toHaveLength(1);
    await press('Import another file');
    expect(await screen.findByRole('button', { name: 'Choose file' })).toBeTruthy();
  });

  it('the rows of one account are gone when somebody else signs in', async () => {
    serve();
    show();
    await paste('url\nhttps://example.com/secret');
    await screen.findByRole('heading', { name: /^1 row from/ });
    act(() => signInAsMember({ email: 'b@example.com' }));
    await screen.findByRole('button', { name: 'Choose file' });
    expect(document.body.innerHTML).not.toContain('secret');
    expect(screen.queryByRole('heading', { name: /^1 row from/ })).toBeNull();
  });

  it('takes another column for the destination', async () => {
    const requests = serve();
    show();
    await paste('url,where,tags\nnothing,https://example.com/1,new');
    fireEvent.change(await screen.findByLabelText('where'), { target: { value: 'url' } });
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLSelectElement>('url').value).toBe('ignored'),
    );
    await press('Check rows');
    await screen.findByRole('heading', { name: 'What the import will do' });
    // The account has room for one more tag.
    expect(screen.queryByText(/^This file has/)).toBeNull();
    expect(requests[0]?.[1].rows).toEqual([
      { line: 1, url: 'https://example.com/1', tags: ['new'] },
    ]);
    // The check was about other columns.
    fireEvent.change(screen.getByLabelText('url'), { target: { value: 'title' } });
    await waitFor(() => expect(screen.queryByText('What the import will do')).toBeNull());
    cleanup();
    expect(requests[0]?.[2]?.aborted).toBe(true);
  });

  it('keeps the chosen encoding of a file when a column gets another meaning', async () => {
    serve();
    show();
    const bytes = Uint8Array.from('url,where,title\nx,https://a.example,\xcf\xf0\xe8', (char) =>
      char.charCodeAt(0),
    );
    const input = await screen.findByLabelText('File with links');
    const files = [{ size: bytes.length, arrayBuffer: async () => bytes.buffer }];
    fireEvent.change(input, { target: { files } });
    await screen.findByText('Ïðè');
    await typeInto('Characters read as', 'windows-1251');
    await screen.findByText('При');
    await typeInto('where', 'url');
    await screen.findByText('a.example');
    expect(screen.getByText('При')).toBeTruthy();
    expect(screen.queryByText(/^As you chose/)).toBeNull();
    await typeInto('Characters read as', 'utf-16le');
    await screen.findByText('There is no web address in this file.');
    await press('Choose another file');
    await screen.findByRole('button', { name: 'Choose file' });
    expect(screen.queryByText('There is no web address in this file.')).toBeNull();
  });

  it('remembers what the columns of a file are until the sign-out', async () => {
    serve();
    const meaningOf = async (label: string) =>
      (await screen.findByLabelText<HTMLSelectElement>(label)).value;
    const readAgain = async () => {
      cleanup();
      show();
      await paste('where;url;Kampagne\nhttps://example.com/2;x;y');
    };
    show();
    await paste('url;where;Kampagne\nnothing;https://example.com/1;winter');
    fireEvent.change(await screen.findByLabelText('where'), { target: { value: 'url' } });
    await waitFor(async () => expect(await meaningOf('where')).toBe('url'));
    fireEvent.change(screen.getByLabelText('Kampagne'), { target: { value: 'tags' } });
    await waitFor(async () => expect(await meaningOf('Kampagne')).toBe('tags'));
    await readAgain();
    expect([await meaningOf('where'), await meaningOf('url'), await meaningOf('Kampagne')]).toEqual(
      ['url', 'ignored', 'tags'],
    );
    expect(screen.getByText(/^As you chose for the last file/)).toBeTruthy();
    deleteStoredImport();
    await readAgain();
    expect(await meaningOf('Kampagne')).toBe('ignored');
  });

  it('stops at an error, says why, and resumes', async () => {
    let isUp = false;
    const requests = serve(() => isUp);
    show();
    await paste('https://example.com/1\nhttps://example.com/2');
    await press('Check rows');
    await press('Import 2 links');
    await screen.findByRole('heading', { name: 'The import is stopped' });
    expect(screen.getByRole('alert').textContent).toBe('Your account is suspended.');
    isUp = true;
    await press('Show result');
    await screen.findByRole('heading', { name: /^0 links imported from/ });
    await press('Import the other 2 rows');
    await screen.findByRole('heading', { name: /^2 links imported from/ });
    expect(screen.queryByText('.')).toBeNull();
    const [, first, second] = requests.map(([, body]) => body);
    expect(first).toEqual(second);
  });

  it('shows why the server did not check the rows', async () => {
    serve(() => true, false);
    show();
    await paste('url\nhttps://a.example/1');
    await press('Check rows');
    expect(await screen.findByText('You may not do this.')).toBeDefined();
    await press('Choose another file');
    await paste('url\nhttps://a.example/2');
    await screen.findByRole('heading', { name: /^1 row from/ });
    expect(screen.queryByText('You may not do this.')).toBeNull();
  });

  it('says how many rows a file can have', async () => {
    serve();
    show();
    await paste('a.example\n'.repeat(10_001));
    await screen.findByText(/^This file has 10,001 rows. Up to 10,000 rows/);
    const limits =
      /Premium brings 10,000 existing links once, .*; Free imports within its 25 a month/;
    expect(screen.getByText(limits)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'My URLs' }).getAttribute('href')).toBe('/dashboard');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Check rows' }).disabled).toBe(
      true,
    );
  });
});
