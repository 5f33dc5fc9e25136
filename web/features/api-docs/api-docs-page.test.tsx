import { cleanup, fireEvent, render, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { reference } from 'virtual:api-reference';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CreatedApiKey } from '#contract/api/api-keys.ts';
import { ERROR_CODES } from '#contract/errors.ts';
import { V1_CODES } from '#contract/v1/v1-problem.ts';
import { rememberNewApiKey } from '#web/shared/secrets/new-api-key.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { ApiDocsPage } from './api-docs-page.tsx';
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
    expect(search('/qr.png')).toEqual(['#getQrCodePng']);
    fireEvent.keyDown(within(contents).getByLabelText('Search the documentation'), {
      key: 'Enter',
    });
    expect(location.hash).toBe('#getQrCodePng');
    expect(search('importedclicks')).toContain('#schema-Link');
  });

  it('asks visitors to sign up, and shows members the start of their newest key', async () => {
    showSome();
    expect(within(sectionOf('start')).getByText('Sign up').getAttribute('href')).toContain(
      'next=%2Fsettings%2Fapi',
    );
    expect(codeOf('start')).toContain('hop_live_…');
    cleanup();
    signInAsMember();
    const keys = [{ name: 'Deploy', prefix: 'hop_live_Ab3x', app: null }];
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ keys })));
    showSome();
    await within(sectionOf('start')).findByText(/your key “Deploy”/);
    expect(codeOf('start')).toContain('Bearer hop_live_Ab3x…');
    expect(codeOf('deleteLink')).toContain('Bearer hop_live_Ab3x…');
    const field = within(sectionOf('start')).getByLabelText(/^Your key/);
    fireEvent.change(field, { target: { value: ' hop_live_mine ' } });
    expect(codeOf('deleteLink')).toContain('Bearer hop_live_mine"');
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
    const tops = new Map<string, number>();
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function top(
      this: HTMLElement,
    ) {
      return new DOMRect(0, tops.get(this.id) ?? 1_000, 100, 20);
    });
    show();
    const marked = () =>
      [...document.querySelectorAll('[aria-current=location]')].map((link) =>
        link.getAttribute('href'),
      );
    await vi.waitFor(() => expect(marked()).toEqual(['#start', '#start']));
    for (const id of ['start', 'authentication', 'createLink']) tops.set(id, -100);
    tops.set('listLinks', 100);
    fireEvent.scroll(window);
    await vi.waitFor(() => expect(marked()).toEqual(['#listLinks', '#listLinks']));
    expect(document.querySelector('summary')?.textContent).toContain('List links');
  });

  it('the menu of a narrow window closes by Escape, and when a link is followed', () => {
    show(<ContentsMenu before={[]} after={[]} />);
    const menu = document.querySelector('details');
    const isOpen = (): boolean => menu?.open ?? false;
    const open = (): void => void (menu !== null && (menu.open = true));
    open();
    fireEvent.keyDown(menu?.querySelector('input') ?? document.body, { key: 'Escape' });
    expect([isOpen(), document.activeElement?.tagName]).toEqual([false, 'SUMMARY']);
    open();
    fireEvent.click(menu?.querySelector('a[href="#listLinks"]') ?? document.body);
    expect(isOpen()).toBe(false);
  });
});

describe('useLanguage', () => {
  it('starts with the language of the last visit', async () => {
    localStorage.setItem('hop-docs-language', 'javascript');
    vi.resetModules();
    const { useLanguage } = await import('./language.ts');
    const Shown = () => useLanguage();
    render(<Shown />);
    expect(document.body.textContent).toBe('javascript');
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

  it('writes values as the language does', () => {
    const { javascript, python } = sampleOf(request, caller);
    expect(javascript).toContain("    url: 'https://example.com/it\\'s',\n    tags: ['a'],");
    expect(javascript).toContain('    archived: true,\n    expiresAt: null,');
    expect(python).toContain('"url": "https://example.com/it\'s",');
    expect(python).toContain('"archived": True,');
    expect(python).toContain('"expiresAt": None,');
  });
});
