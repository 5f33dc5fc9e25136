import { cleanup, fireEvent, render, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signInAsMember } from '#web/testing/session.ts';
import { ApiDocsPage } from './api-docs-page.tsx';
import { sampleOf, type SampleRequest } from './samples.ts';

const show = () =>
  render(
    <MemoryRouter>
      <ApiDocsPage />
    </MemoryRouter>,
  );
/** Roles of the whole page take seconds to compute, so parts are found by their ids. */
const sectionOf = (id: string): HTMLElement => {
  const section = document.getElementById(id)?.closest('section');
  if (!(section instanceof HTMLElement)) throw new Error(`There is no section ${id}.`);
  return section;
};
const codeOf = (id: string): string => sectionOf(id).querySelector('pre')?.textContent ?? '';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('ApiDocsPage', () => {
  it('the page lists every operation, searches them, and shows samples in one language', () => {
    show();
    expect(document.querySelectorAll('h3').length).toBeGreaterThan(12);
    const list = sectionOf('listLinks');
    expect(within(list).getByText('integer, 1 to 100, default 50')).toBeTruthy();
    expect(within(list).getByText('LinkList').getAttribute('href')).toBe('#shape-LinkList');
    expect(list.textContent).toContain('"nextCursor"');
    expect(
      within(sectionOf('updateLink')).getByText('precondition_failed').getAttribute('href'),
    ).toBe('/api/v1/errors#precondition_failed');
    expect(codeOf('updateLink')).toMatch(/curl -X PATCH "http.*\/api\/v1\/links\/[^"]+"/);
    // Every link inside the page has a target.
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]'))
      expect(document.getElementById(link.hash.slice(1)), link.hash).not.toBeNull();

    expect(codeOf('start')).toContain('curl http');
    fireEvent.click(within(sectionOf('start')).getByText('Python'));
    expect(codeOf('start')).toContain('urllib.request');
    expect(codeOf('deleteLink')).toContain('method="DELETE"');

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
    expect(search('importedclicks')).toContain('#shape-Link');
  });

  it('asks visitors to sign up, and shows members the start of their newest key', async () => {
    show();
    expect(within(sectionOf('start')).getByText('Sign up').getAttribute('href')).toContain(
      'next=%2Fsettings%2Fapi',
    );
    expect(codeOf('start')).toContain('hop_live_…');
    cleanup();
    signInAsMember();
    const keys = [{ name: 'Deploy', prefix: 'hop_live_Ab3x', app: null }];
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ keys })));
    show();
    await within(sectionOf('start')).findByText(/your key “Deploy”/);
    expect(codeOf('start')).toContain('Bearer hop_live_Ab3x…');
    expect(codeOf('deleteLink')).toContain('Bearer hop_live_Ab3x…');
    const field = within(sectionOf('start')).getByLabelText(/^Your key/);
    fireEvent.change(field, { target: { value: ' hop_live_mine ' } });
    expect(codeOf('deleteLink')).toContain('Bearer hop_live_mine"');
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
