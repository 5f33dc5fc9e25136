import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { BulkResponse } from '#contract/links.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { parseLines, joinFailedLinks, joinShortLinks } from './bulk-lines.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ANSWER: BulkResponse = {
  lines: [
    { ok: true, longUrl: 'example.com/a', shortUrl: 'https://hop.example/aaa', code: 'aaa' },
    { ok: false, longUrl: 'ftp://example.com', error: 'Only links that start with http:// or https:// can be shortened.' },
    { ok: true, longUrl: 'example.com/a', shortUrl: 'https://hop.example/bbb', code: 'bbb' },
  ],
  made: 2,
  usage: { current_usage: 9, monthly_limit: 1000 },
};

function show(status: number, body: unknown) {
  const mock = vi.fn<typeof fetch>(() => Promise.resolve(Response.json(body, { status })));
  vi.stubGlobal('fetch', mock);
  const onMade = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <BulkDialog onClose={() => undefined} onMade={onMade} />
    </QueryClientProvider>,
  );
  const field = screen.getByLabelText<HTMLTextAreaElement>('Long links, one a line');
  const type = (text: string): void => void fireEvent.change(field, { target: { value: text } });
  const button = (): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name: /^Shorten/, hidden: true });
  return { mock, onMade, type, button };
}

test('lines: blank ones and spaces are left out, whatever ends them', () => {
  expect(parseLines(' a \r\n\r\n\tb\rc\n\n')).toEqual(['a', 'b', 'c']);
  expect(parseLines(' \n ')).toEqual([]);
  expect(joinShortLinks(ANSWER.lines)).toBe('https://hop.example/aaa\nhttps://hop.example/bbb');
  expect(joinFailedLinks(ANSWER.lines)).toBe('ftp://example.com');
});

test('the button counts the links and is disabled without any and above a hundred', () => {
  const { type, button } = show(201, ANSWER);
  expect(button().disabled).toBe(true);
  type('example.com');
  expect(button().textContent).toContain('Shorten 1 link');
  type('example.com\n'.repeat(100));
  expect(button().disabled).toBe(false);
  type('example.com\n'.repeat(101));
  expect(button().disabled).toBe(true);
  expect(screen.getByRole('alert', { hidden: true }).textContent).toContain('At most 100');
});

test('shows what was made beside what was refused and why; the refused lines can be mended', async () => {
  const { mock, onMade, type, button } = show(201, ANSWER);
  type('example.com/a\n\nftp://example.com\nexample.com/a');
  fireEvent.click(button());
  expect(await screen.findByText('2 links made, 1 line refused.')).toBeTruthy();
  expect(mock.mock.calls[0]?.[1]?.body).toBe('{"longUrls":["example.com/a","ftp://example.com","example.com/a"]}');
  expect(onMade).toHaveBeenCalledWith(ANSWER.usage);
  expect(screen.getByText('hop.example/bbb')).toBeTruthy();
  expect(screen.getByText(/Only links that start with http/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Mend what was refused', hidden: true }));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Long links, one a line').value).toBe('ftp://example.com');
});

test('a refusal of the whole list keeps it and says why', async () => {
  const body = {
    error: 'This list needs 2 links, and 1 are left this month',
    code: 'quota_reached',
    requestId: 'r',
    upgradeRequired: true,
  };
  const { onMade, type, button } = show(429, body);
  type('example.com/a\nexample.com/b');
  fireEvent.click(button());
  expect((await screen.findByRole('alert', { hidden: true })).textContent).toContain('This list needs 2 links');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Long links, one a line').value).toBe('example.com/a\nexample.com/b');
  expect(onMade).not.toHaveBeenCalled();
});
