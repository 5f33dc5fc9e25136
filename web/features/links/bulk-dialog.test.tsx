import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BulkResponse } from '#contract/links/links.ts';
import { useAnnouncement } from '#web/ui/announcer.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { joinFailedLinks, joinShortLinks, parseLines } from './bulk-lines.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const RESPONSE: BulkResponse = {
  lines: [
    { ok: true, longUrl: 'example.com/a', shortUrl: 'https://hop.example/aaa', code: 'aaa' },
    {
      ok: false,
      longUrl: 'ftp://example.com',
      error: 'Only http and https links can be shortened.',
    },
    { ok: true, longUrl: 'example.com/a', shortUrl: 'https://hop.example/bbb', code: 'bbb' },
  ],
  made: 2,
  usage: { current_usage: 9, monthly_limit: 1000 },
};

const list = () => screen.getByLabelText<HTMLTextAreaElement>('Destinations, one per line');

async function show(status: number, body: unknown) {
  const mock = vi.fn<typeof fetch>(() => Promise.resolve(Response.json(body, { status })));
  vi.stubGlobal('fetch', mock);
  const [onCreated, onClose] = [vi.fn(), vi.fn()];
  const client = new QueryClient();
  const dialog = (quotaChanges: number) => (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <BulkDialog quotaChanges={quotaChanges} onClose={onClose} onCreated={onCreated} />
      </MemoryRouter>
    </QueryClientProvider>
  );
  const { rerender } = render(dialog(0));
  await screen.findByRole('dialog', { name: /^Shorten/ });
  const type = (text: string): void => void fireEvent.change(list(), { target: { value: text } });
  const button = (): HTMLButtonElement =>
    screen.getByRole<HTMLButtonElement>('button', { name: /^Shorten/ });
  return { mock, onCreated, onClose, type, button, changeQuota: () => rerender(dialog(1)) };
}

describe('bulk lines', () => {
  it('bulk lines are trimmed and not blank, whatever the line ending', () => {
    expect(parseLines(' a \r\n\r\n\tb\rc\n\n')).toEqual(['a', 'b', 'c']);
    expect(parseLines(' \n ')).toEqual([]);
  });

  it('bulk lines separate the created links from the failed ones', () => {
    expect(joinShortLinks(RESPONSE.lines)).toBe('https://hop.example/aaa\nhttps://hop.example/bbb');
    expect(joinFailedLinks(RESPONSE.lines)).toBe('ftp://example.com');
  });
});

describe('BulkDialog', () => {
  it('counts the links, and sends neither none nor more than 100', async () => {
    const { mock, onClose, type, button } = await show(201, RESPONSE);
    fireEvent.click(button());
    expect(screen.getByRole('alert').textContent).toBe('Enter at least one destination.');
    type('example.com');
    expect(button().textContent).toContain('Shorten 1 link');
    type('example.com\n'.repeat(100));
    expect(screen.queryByRole('alert')).toBeNull();
    type('example.com\n'.repeat(101));
    fireEvent.click(button());
    expect(screen.getByRole('alert').textContent).toBe(
      'Paste at most 100 links at a time. This list has 101.',
    );
    expect(mock).not.toHaveBeenCalled();
    expect(screen.queryByLabelText('Domain')).toBeNull();
    const file = screen.getByRole('link', { name: 'import a file' });
    expect(file.getAttribute('href')).toBe('/links/import');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('shows the created links and the failed lines, which can be edited', async () => {
    const { mock, onCreated, type, button } = await show(201, RESPONSE);
    type('example.com/a\n\nftp://example.com\nexample.com/a');
    fireEvent.click(button());
    expect(
      await screen.findByText('2 links created, 1 line failed. Fix the lines below and try again.'),
    ).toBeTruthy();
    expect(mock.mock.calls[0]?.[1]?.body).toBe(
      '{"longUrls":["example.com/a","ftp://example.com","example.com/a"]}',
    );
    expect(onCreated).toHaveBeenCalledWith(RESPONSE.usage);
    expect(renderHook(useAnnouncement).result.current).toBe('2 links created.');
    expect(screen.getByText('hop.example/bbb')).toBeTruthy();
    expect(screen.getByText('Only http and https links can be shortened.')).toBeTruthy();
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    fireEvent.click(screen.getByRole('button', { name: 'Copy all links' }));
    expect(copied).toHaveBeenCalledWith('https://hop.example/aaa\nhttps://hop.example/bbb');
    fireEvent.click(screen.getByRole('button', { name: 'Edit failed lines' }));
    expect(list().value).toBe('ftp://example.com');
  });

  it('says nothing of failed lines where there are none, and Done closes', async () => {
    const lines = RESPONSE.lines.slice(0, 1);
    const { onClose, type, button } = await show(201, { ...RESPONSE, lines, made: 1 });
    type('example.com/a');
    fireEvent.click(button());
    expect(await screen.findByText('1 link created.')).toBeTruthy();
    expect(screen.getByRole('listitem').textContent).toBe('hop.example/aaaexample.com/a');
    expect(screen.queryByRole('button', { name: 'Edit failed lines' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('reports no usage when every line failed', async () => {
    const { onCreated, type, button } = await show(201, {
      ...RESPONSE,
      lines: RESPONSE.lines.slice(1, 2),
      made: 0,
    });
    type('ftp://example.com');
    fireEvent.click(button());
    await screen.findByText(/^0 links created, 1 line failed/);
    expect(onCreated).not.toHaveBeenCalled();
    expect(screen.queryByRole('button', { name: 'Copy all links' })).toBeNull();
  });

  it('keeps the list and shows the error when the whole request fails', async () => {
    const error = {
      error: 'This list needs 2 links, but only 1 is left this month.',
      code: 'rate_limited',
      requestId: 'r',
    };
    const { onCreated, type, button, changeQuota } = await show(429, error);
    type('example.com/a\nexample.com/b');
    fireEvent.click(button());
    expect((await screen.findByRole('alert')).textContent).toContain('This list needs 2 links');
    expect(list().value).toBe('example.com/a\nexample.com/b');
    expect(onCreated).not.toHaveBeenCalled();
    // Only an error about the quota ends when that changes.
    changeQuota();
    await new Promise((resolve) => setTimeout(resolve));
    expect(screen.getByRole('alert').textContent).toContain('This list needs 2 links');
  });

  it('clears an error about the quota when the quota changes', async () => {
    const { type, button, changeQuota } = await show(429, {
      error: 'Too few links left.',
      code: 'quota_reached',
      requestId: 'r',
    });
    type('example.com/a');
    fireEvent.click(button());
    await screen.findByText('Too few links left.');
    changeQuota();
    await waitFor(() => expect(screen.queryByText('Too few links left.')).toBeNull());
    expect(list().value).toBe('example.com/a');
  });
});
