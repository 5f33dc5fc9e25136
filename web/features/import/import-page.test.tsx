import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  ImportCheckRequest,
  ImportRequest,
  ImportSourceRequest,
} from '#contract/files/import.ts';
import { deleteStoredImport } from '#web/shared/session/import-database.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { ImportPage } from './import-page.tsx';

type Body = ImportCheckRequest | ImportRequest;
const ME = { id: 'id of a@example.com', email: 'a@example.com', role: 'user', plan: 'free' };

/** A server on which only the code `taken` is taken. It responds to imports while `isUp()`. */
function serve(isUp = () => true, canCheck = true) {
  const requests: [path: string, body: Body][] = [];
  vi.stubGlobal('fetch', async (path: string, init?: { body?: string }) => {
    if (path === '/api/me') return Response.json(ME);
    if (path === '/api/tags')
      return Response.json({
        tags: Array.from({ length: 99 }, (_, id) => ({ id, name: `t${id}`, color: 'gray' })),
      });
    const body: Body = JSON.parse(init?.body ?? 'null');
    requests.push([path, body]);
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

function show(): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <ImportPage />
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

/** A server whose source has pages of one link; the page with `failing` is refused. */
function serveSource(pages: number, failing = -1) {
  const requests: ImportSourceRequest[] = [];
  vi.stubGlobal('fetch', async (path: string, init?: { body?: string }) => {
    if (path === '/api/me') return Response.json(ME);
    const body: ImportSourceRequest = JSON.parse(init?.body ?? 'null');
    requests.push(body);
    const { cursor } = body;
    if (cursor === failing)
      return Response.json(
        { error: 'The server does not accept this API key.', code: 'invalid_body', field: 'key' },
        { status: 400 },
      );
    const links = [{ shortCode: `c${cursor}`, longUrl: `https://example.com/${cursor}` }];
    return Response.json({ links, total: pages, next: cursor + 1 < pages ? cursor + 1 : null });
  });
  return requests;
}
async function readServer(): Promise<void> {
  const type = async (label: string, value: string) =>
    fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  await type('Address of the server', 's.example.com');
  await type('API key', 'k');
  await press('Read links');
}

describe('ImportPage with a server', () => {
  it('reads every page of another service, and shows its links', async () => {
    const requests = serveSource(3);
    show();
    await readServer();
    await screen.findByRole('heading', { name: '3 rows from Shlink' });
    expect(requests.map(({ cursor, key }) => [cursor, key])).toEqual([
      [0, 'k'],
      [1, 'k'],
      [2, 'k'],
    ]);
    expect(JSON.stringify([localStorage, sessionStorage])).not.toContain('"k"');
  });

  it('says at its field that a key is refused, and reads no more than it can import', async () => {
    serveSource(3, 1);
    show();
    await readServer();
    await screen.findByText('The server does not accept this API key.');
    const [error = ''] =
      screen.getByLabelText('API key').getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(document.querySelector(`[id="${error}"]`)?.textContent).toMatch(
      /^The server does not accept/,
    );
    cleanup();
    const requests = serveSource(10_001);
    show();
    await readServer();
    await screen.findByText(/^There are 10,001 links on this server\./);
    expect(requests).toHaveLength(1);
  });

  it('stops without an error', async () => {
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
        ),
    );
    show();
    await readServer();
    await press('Stop');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull());
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('ImportPage', () => {
  it('reads, checks and imports pasted rows, with the choice for taken codes', async () => {
    const requests = serve();
    show();
    await paste('name;code\nSpring;one');
    expect((await screen.findByRole('alert')).textContent).toMatch(/\.$/);
    await paste(
      'url;code;tags\nhttps://example.com/1;one;new,newer\nhttps://example.com/2;taken;\n;three;',
    );
    await screen.findByRole('heading', { name: /^3 rows from/ });
    await screen.findByText(/^This file has 2 new tags, and your account has room for 1\./);
    await press('Check rows');
    await screen.findByRole('heading', { name: 'What the import will do' });
    expect(screen.getByRole('button', { name: 'Import 1 link' })).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'Add a number' }));
    const list = screen.getByRole('list', { name: 'Rows' });
    expect(within(list).getAllByRole('listitem')[1]?.textContent).toContain('/taken-2');
    fireEvent.click(screen.getByRole('radio', { name: 'Skip these rows' }));
    await press('Import 1 link');
    await screen.findByRole('heading', { name: /^1 link imported from/ });
    expect(
      screen.getByText('1 skipped, because the code is not available, 1 not imported.'),
    ).toBeTruthy();
    expect(requests.map(([path]) => path)).toEqual([
      '/api/links/import/check',
      '/api/links/import',
    ]);
    expect(requests[1]?.[1]).toMatchObject({
      format: 'csv',
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
    await paste('url,where\nnothing,https://example.com/1');
    fireEvent.change(await screen.findByLabelText('where'), { target: { value: 'url' } });
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLSelectElement>('url').value).toBe('ignored'),
    );
    await press('Check rows');
    await screen.findByRole('heading', { name: 'What the import will do' });
    expect(requests[0]?.[1].rows).toEqual([{ line: 1, url: 'https://example.com/1' }]);
    // The check was about other columns.
    fireEvent.change(screen.getByLabelText('url'), { target: { value: 'title' } });
    await waitFor(() => expect(screen.queryByText('What the import will do')).toBeNull());
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
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Check rows' }).disabled).toBe(
      true,
    );
  });
});
