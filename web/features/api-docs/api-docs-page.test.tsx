import { act, cleanup, fireEvent, render, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { reference } from 'virtual:api-reference';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CreatedApiKey } from '#contract/api/api-keys.ts';
import { ERROR_CODES } from '#contract/errors.ts';
import { V1_CODES } from '#contract/v1/v1-problem.ts';
import { rememberNewApiKey } from '#web/shared/secrets/new-api-key.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { ApiDocsPage } from './api-docs-page.tsx';
import { Marked } from './code-block.tsx';
import { ContentsMenu } from './contents.tsx';
import { ProblemTable } from './problem-table.tsx';
import { sampleOf, type SampleRequest } from './samples.ts';

const show = (part = <ApiDocsPage />) => render(<MemoryRouter>{part}</MemoryRouter>);
const SOME = new Set(['createLink', 'listLinks', 'deleteLink']);
/** Shows the page with a few operations: with all of them it takes a second of CPU time. */
function showSome(): void {
  const groups = reference.groups.map(({ operations, ...group }) =>
    Object.assign(group, { operations: operations.filter(({ id }) => SOME.has(id)) }),
  );
  const all = { ...reference };
  Object.assign(reference, { groups, shapes: [], events: [], tools: [] });
  onTestFinished(() => void Object.assign(reference, all));
  show();
}
/** Roles of the whole page take seconds to compute, so parts are found by their ids. */
const sectionOf = (id: string): HTMLElement => {
  const section = document.getElementById(id)?.closest('section');
  if (!(section instanceof HTMLElement)) throw new Error(`There is no section ${id}.`);
  return section;
};
const codeOf = (id: string): string => sectionOf(id).querySelector('pre')?.textContent ?? '';

const created = (id: string, key: string): CreatedApiKey => ({
  id,
  key,
  name: id,
  prefix: key.slice(0, 13),
  app: null,
  scopes: [],
  codePrefix: null,
  previousSecretUntil: null,
  createdAt: '2026-11-01T00:00:00Z',
  expiresAt: null,
  lastUsedAt: null,
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('ApiDocsPage', () => {
  it('the page lists every operation, searches them, and shows samples in one language', () => {
    show();
    expect(document.querySelectorAll('h3').length).toBeGreaterThan(12);
    const list = sectionOf('listLinks');
    expect(within(list).getByText('integer, 1 to 100, default 50')).toBeTruthy();
    expect(within(list).getByText('LinkList').getAttribute('href')).toBe('#schema-LinkList');
    expect(list.textContent).toContain('"nextCursor"');
    expect(
      within(sectionOf('updateLink')).getByText('precondition_failed').getAttribute('href'),
    ).toBe('#error-precondition_failed');
    expect(codeOf('updateLink')).toMatch(/curl -X PATCH "http.*\/api\/v1\/links\/[^"]+"/);
    const inputOf = (id: string) =>
      [...sectionOf(id).querySelectorAll('dl')].map((fields) => ({
        title: fields.previousElementSibling?.textContent,
        names: [...fields.querySelectorAll('dt > bdi:first-child')].map((name) => name.textContent),
      }));
    expect(inputOf('updateLink')).toEqual([
      { title: 'Parameters', names: ['id', 'If-Match'] },
      { title: 'Body', names: expect.arrayContaining(['url', 'tags']) },
    ]);
    expect(inputOf('listLinks')).toEqual([
      { title: 'Query', names: expect.arrayContaining(['limit', 'cursor']) },
    ]);
    expect(
      within(sectionOf('createLink')).getByText('required').closest('dt')?.textContent,
    ).toMatch(/^url /);
    expect(list.textContent).toContain('Answer 200');
    expect(list.querySelectorAll('pre')).toHaveLength(2);
    expect(sectionOf('event-link.created').textContent).toContain('Body');
    for (const tool of ['find_links reads', 'create_link writes'])
      expect(sectionOf('assistants').textContent).toContain(tool);
    // Every link inside the page has a target.
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]'))
      expect(document.getElementById(link.hash.slice(1)), link.hash).not.toBeNull();

    expect(codeOf('start')).toContain('curl http');
    fireEvent.click(within(sectionOf('start')).getByText('Python'));
    expect(codeOf('start')).toContain('urllib.request');
    expect(codeOf('deleteLink')).toContain('method="DELETE"');
    expect(localStorage.getItem('hop-docs-language')).toBe('python');
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    for (const button of within(sectionOf('start')).getAllByLabelText(/^Copy/))
      fireEvent.click(button);
    expect(writeText.mock.calls.flat()).toContain(codeOf('start'));

    const contents = document.querySelector('nav') ?? document.body;
    const search = (text: string): string[] => {
      fireEvent.change(within(contents).getByLabelText('Search the documentation'), {
        target: { value: text },
      });
      return [...contents.querySelectorAll('a')].map(({ hash }) => hash);
    };
    expect(search('webhook timestamp')).toContain('#receiving-webhooks');
    expect(search('delete A link')[0]).toBe('#deleteLink');
    expect(search('lastClickBefore')).toContain('#listLinks');
    expect(search('quota_reached')[0]).toBe('#error-quota_reached');
    expect(search('if-match')).toContain('#updateLink');
    expect(search('link.expired')[0]).toBe('#event-link.expired');
    expect(search('find_links')).toContain('#assistants');
    expect(search('/qr.png')).toEqual(['#getQrCodePng']);
    expect(contents.querySelector('output')?.textContent).toBe('1 found');
    const field = within(contents).getByLabelText('Search the documentation');
    fireEvent.keyDown(field, { key: 'a' });
    expect(location.hash).toBe('');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(location.hash).toBe('#getQrCodePng');
    expect(search('importedclicks')).toContain('#schema-Link');
    expect(search('importedclicks nothing-else')).toEqual([]);
    expect(contents.querySelector('output')?.textContent).toBe('Nothing was found.');
  });

  it('asks visitors to sign up, and shows members the start of their newest key', async () => {
    showSome();
    const hrefOf = (text: string) =>
      within(sectionOf('start')).getByText(text).getAttribute('href');
    expect(hrefOf('Sign up')).toBe('/auth?tab=sign-up&next=%2Fsettings%2Fapi');
    expect(hrefOf('sign in')).toBe('/auth?next=%2Fsettings%2Fapi');
    expect(codeOf('start')).toContain('hop_live_…');
    cleanup();
    signInAsMember();
    const keys = [
      { name: 'Claude', prefix: 'hop_live_Cl4d', app: 'claude.ai' },
      { name: 'Deploy', prefix: 'hop_live_Ab3x', app: null },
      { name: 'Older', prefix: 'hop_live_0lde', app: null },
    ];
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ keys })));
    showSome();
    expect(sectionOf('start').textContent).toContain('Create one under API keys.');
    expect(codeOf('start')).toContain('Bearer hop_live_…');
    await within(sectionOf('start')).findByText(/your key “Deploy”/);
    expect(codeOf('start')).toContain('Bearer hop_live_Ab3x…');
    expect(codeOf('deleteLink')).toContain('Bearer hop_live_Ab3x…');
    const field = within(sectionOf('start')).getByLabelText(/^Your key/);
    expect(field.getAttribute('type')).toBe('password');
    fireEvent.change(field, { target: { value: ' hop_live_mine ' } });
    expect(codeOf('deleteLink')).toContain('Bearer hop_live_mine"');
    fireEvent.change(field, { target: { value: 'anything else' } });
    expect(codeOf('deleteLink')).toContain('Bearer hop_live_Ab3x…');
    const signals: (AbortSignal | null | undefined)[] = [];
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    act(() => signInAsMember({ email: 'b@example.com' }));
    expect(document.body.textContent).not.toContain('Deploy');
    expect(codeOf('deleteLink')).toContain('Bearer hop_live_…');
    await waitFor(() => expect(signals).toHaveLength(1));
    cleanup();
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe('parts of ApiDocsPage', () => {
  it('the error table has every code with its status, meaning and advice', () => {
    show(<ProblemTable />);
    const rows = [...document.querySelectorAll('tbody tr')];
    const cells = rows.map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(cells.map(([status, code]) => [code, Number(status)])).toEqual(
      V1_CODES.map((code) => [code, ERROR_CODES[code]]),
    );
    for (const [, code = '', text = ''] of cells)
      expect(text, code).toMatch(/^[A-Z].+\. [A-Z`].+\.$/);
  });

  it('samples contain a key that the member has just created, until it is revoked', async () => {
    signInAsMember();
    const keys = [
      { id: 'other', name: 'Newer', prefix: 'hop_live_Newe', app: null },
      { id: 'mine', name: 'Mine', prefix: 'hop_live_Mine', app: null },
    ];
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ keys })));
    rememberNewApiKey(created('mine', 'hop_live_Mine1234'));
    showSome();
    await within(sectionOf('start')).findByText(/your new key “Mine”/);
    expect(codeOf('start')).toContain('Bearer hop_live_Mine1234"');
    cleanup();
    rememberNewApiKey(created('revoked', 'hop_live_Gone1234'));
    showSome();
    await within(sectionOf('start')).findByText(/your key “Newer”/);
    expect(document.body.textContent).not.toContain('hop_live_Gone1234');
  });

  it('the contents mark the section whose heading has reached the top', async () => {
    const tops = new Map([['a listLinks', 2_000]]);
    const rects = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect');
    rects.mockImplementation(function top(this: HTMLElement) {
      const name = this instanceof HTMLAnchorElement ? `a ${this.hash.slice(1)}` : this.id;
      return new DOMRect(0, tops.get(name) ?? 141, 100, 20);
    });
    showSome();
    const marked = () =>
      [...document.querySelectorAll('[aria-current=location]')].map((link) =>
        link.getAttribute('href'),
      );
    await waitFor(() => expect(marked()).toEqual(['#start', '#start']));
    for (const id of ['start', 'authentication', 'createLink']) tops.set(id, -100);
    tops.set('listLinks', 140);
    fireEvent.scroll(window);
    await waitFor(() => expect(marked()).toEqual(['#listLinks', '#listLinks']));
    expect(document.querySelector('summary')?.textContent).toContain('List links');
    // The list has scrolled to its entry.
    await waitFor(() => expect(document.querySelector('nav')?.scrollTop).toBeGreaterThan(1_800));
    // The menu of narrow windows does so when it opens, and leaves a visible entry where it is.
    const menu = document.querySelector('details') ?? document.body;
    const list = menu.querySelector('nav') ?? document.body;
    fireEvent(menu, new Event('toggle'));
    const { scrollTop } = list;
    expect(scrollTop).toBeGreaterThan(1_800);
    tops.set('a listLinks', 141);
    fireEvent(menu, new Event('toggle'));
    expect(list.scrollTop).toBe(scrollTop);
    // At the end of the page, the last section is current.
    document.documentElement.scrollTop = 1;
    fireEvent(window, new Event('resize'));
    await waitFor(() => expect(marked()).toEqual(['#assistants', '#assistants']));
    document.documentElement.scrollTop = 0;
    cleanup();
    rects.mockClear();
    fireEvent.scroll(window);
    fireEvent(window, new Event('resize'));
    await new Promise(requestAnimationFrame);
    expect(rects).not.toHaveBeenCalled();
  });

  it('a text has code, links, headings and emphasis', () => {
    const { container } = render(<Marked text="a `b*c*` [d](#e) **f** *g* h" />);
    expect(container.innerHTML.replaceAll(/ (?:class|dir)="[^"]*"/g, '')).toBe(
      'a <code>b*c*</code> <a href="#e">d</a> <strong>f</strong> <em>g</em> h',
    );
  });

  it('the menu of a narrow window closes by Escape, and when a link is followed', () => {
    show(<ContentsMenu before={[]} after={[]} />);
    const menu = document.querySelector('details');
    const isOpen = (): boolean => menu?.open ?? false;
    const open = (): void => void (menu !== null && (menu.open = true));
    open();
    const search = menu?.querySelector('input') ?? document.body;
    fireEvent.click(search);
    fireEvent.keyDown(search, { key: 'a' });
    expect(isOpen()).toBe(true);
    fireEvent.keyDown(search, { key: 'Escape' });
    expect([isOpen(), document.activeElement?.tagName]).toEqual([false, 'SUMMARY']);
    open();
    fireEvent.click(menu?.querySelector('a[href="#listLinks"]') ?? document.body);
    expect(isOpen()).toBe(false);
  });
});

describe('useLanguage', () => {
  it.each([
    ['javascript', 'javascript'],
    ['cobol', 'curl'],
  ])('after a visit that stored %s, samples are in %s', async (stored, shown) => {
    localStorage.setItem('hop-docs-language', stored);
    vi.resetModules();
    const { chooseLanguage, useLanguage } = await import('./language.ts');
    const Shown = () => useLanguage();
    render(<Shown />);
    expect(document.body.textContent).toBe(shown);
    const setItem = vi.fn(() => {
      throw new DOMException('The storage is full.', 'QuotaExceededError');
    });
    vi.stubGlobal('localStorage', { setItem });
    act(() => chooseLanguage('python'));
    expect(setItem).toHaveBeenCalledOnce();
    expect(document.body.textContent).toBe('python');
  });
});

describe('sampleOf', () => {
  const caller = { origin: 'https://hop.example', key: 'k' };
  const request: SampleRequest = {
    method: 'POST',
    path: '/links',
    body: { url: "https://example.com/it's", tags: ['a'], archived: true, expiresAt: null },
    reads: 'json',
  };

  it('quotes the body for a shell', () => {
    expect(sampleOf(request, caller).curl).toContain("it'\\''s");
  });

  it('reads a file or nothing, as the answer is', () => {
    const file = sampleOf({ method: 'GET', path: '/links/7/qr.png?size=9', reads: 'file' }, caller);
    const nothing = sampleOf({ method: 'DELETE', path: '/links/7', reads: 'nothing' }, caller);
    const key = '-H "Authorization: Bearer k"';
    expect([file.curl, nothing.curl].map((sample) => sample.split(' \\\n  '))).toEqual([
      ['curl "https://hop.example/api/v1/links/7/qr.png?size=9"', key, '-o qr.png'],
      ['curl -X DELETE "https://hop.example/api/v1/links/7"', key],
    ]);
    expect([file.javascript, nothing.javascript]).toEqual([
      `import { writeFile } from 'node:fs/promises';

const response = await fetch('https://hop.example/api/v1/links/7/qr.png?size=9', {
  headers: { Authorization: 'Bearer k' },
});
await writeFile('qr.png', Buffer.from(await response.arrayBuffer()));`,
      `const response = await fetch('https://hop.example/api/v1/links/7', {
  method: 'DELETE',
  headers: { Authorization: 'Bearer k' },
});
console.log(response.status);`,
    ]);
    expect([file.python, nothing.python]).toEqual([
      `import urllib.request

request = urllib.request.Request(
    "https://hop.example/api/v1/links/7/qr.png?size=9",
    headers={"Authorization": "Bearer k"},
)
with urllib.request.urlopen(request) as response:
    open("qr.png", "wb").write(response.read())`,
      `import urllib.request

request = urllib.request.Request(
    "https://hop.example/api/v1/links/7",
    method="DELETE",
    headers={"Authorization": "Bearer k"},
)
with urllib.request.urlopen(request) as response:
    print(response.status)`,
    ]);
  });

  it('writes values as the language does', () => {
    const { javascript, python } = sampleOf(request, caller);
    expect(javascript).toContain("    url: 'https://example.com/it\\'s',\n    tags: ['a'],");
    expect(javascript).toContain('    archived: true,\n    expiresAt: null,');
    expect(javascript).toContain("headers: {\n    Authorization: 'Bearer k',\n    'Content-Type'");
    expect(javascript).toMatch(/console\.log\(await response\.json\(\)\);$/);
    expect(python).toMatch(/^import json, urllib\.request\n/);
    expect(python).toMatch(/ {4}print\(json\.load\(response\)\)$/);
    expect(python).toContain(
      '"Bearer k", "Content-Type": "application/json"},\n    data=json.dumps(',
    );
    expect(python).toContain('"url": "https://example.com/it\'s",');
    expect(python).toContain('"archived": True,');
    expect(python).toContain('"expiresAt": None,');
  });
});
