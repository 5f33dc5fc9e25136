import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signInAsMember } from '#web/testing/session.ts';
import { ApiDocsPage } from './api-docs-page.tsx';
import { sampleOf, type SampleRequest } from './samples.ts';

const show = (): void => {
  render(
    <MemoryRouter>
      <ApiDocsPage />
    </MemoryRouter>,
  );
};
const codeOf = (title: string): string =>
  screen.getByRole('heading', { name: title }).closest('section')?.querySelector('pre')
    ?.textContent ?? '';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('ApiDocsPage', () => {
  it('the page lists every operation with its input, answers and errors', () => {
    show();
    expect(screen.getAllByRole('heading', { level: 3 }).length).toBeGreaterThan(12);
    const section = screen.getByRole('region', { name: 'List links' });
    expect(within(section).getByText('integer, 1 to 100, default 50')).toBeTruthy();
    expect(within(section).getByText('LinkList').getAttribute('href')).toBe('#shape-LinkList');
    expect(section.textContent).toContain('"nextCursor"');
    const change = screen.getByRole('region', { name: 'Change a link' });
    expect(
      within(change).getByRole('link', { name: 'precondition_failed' }).getAttribute('href'),
    ).toBe('/api/v1/errors#precondition_failed');
    expect(codeOf('Change a link')).toMatch(/curl -X PATCH "http.*\/api\/v1\/links\/123"/);
    // Every link inside the page has a target.
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]'))
      expect(document.getElementById(link.hash.slice(1)), link.hash).not.toBeNull();
  });

  it('a switch shows all samples in another language', () => {
    show();
    expect(codeOf('Start')).toContain('curl http');
    fireEvent.click(screen.getAllByRole('radio', { name: 'Python' })[0] ?? document.body);
    expect(codeOf('Start')).toContain('urllib.request');
    expect(codeOf('Delete a link')).toContain('method="DELETE"');
  });

  it('the search finds operations, guides and shapes by what they say', () => {
    show();
    const [contents] = screen.getAllByRole('navigation', { name: 'On this page' });
    const search = (text: string): string[] => {
      fireEvent.change(within(contents ?? document.body).getByRole('searchbox'), {
        target: { value: text },
      });
      return within(contents ?? document.body)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href') ?? '');
    };
    expect(search('webhook timestamp')).toContain('#receiving-webhooks');
    expect(search('delete A link')[0]).toBe('#deleteLink');
    expect(search('/qr.png')).toEqual(['#getQrCodePng']);
    expect(search('importedclicks')).toContain('#shape-Link');
  });

  it('asks visitors to sign up, and shows members the start of their newest key', async () => {
    show();
    expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toContain(
      'next=%2Fsettings%2Fapi',
    );
    expect(codeOf('Start')).toContain('hop_live_…');
    cleanup();
    signInAsMember();
    const keys = [{ name: 'Deploy', prefix: 'hop_live_Ab3x', app: null }];
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ keys })));
    show();
    await screen.findByText(/your key “Deploy”/);
    expect(codeOf('Start')).toContain('Bearer hop_live_Ab3x…');
    expect(codeOf('Delete a link')).toContain('Bearer hop_live_Ab3x…');
    fireEvent.change(screen.getByLabelText(/^Your key/), { target: { value: ' hop_live_mine ' } });
    expect(codeOf('Delete a link')).toContain('Bearer hop_live_mine"');
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
