import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signInAsMember } from '#web/testing/session.ts';
import { ApiDocsPage } from './api-docs-page.tsx';
import { curlOfOperation, quickStart } from './quick-starts.ts';

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
  it('the page lists every operation with its input, a request and its errors', () => {
    show();
    expect(screen.getAllByRole('heading', { level: 3 }).length).toBeGreaterThan(12);
    const section = screen.getByRole('region', { name: 'List links' });
    expect(within(section).getByText('integer, 1 to 100, default 50')).toBeTruthy();
    expect(within(section).getByText('LinkList').getAttribute('href')).toBe('#shape-LinkList');
    const change = screen.getByRole('region', { name: 'Change a link' });
    expect(
      within(change).getByRole('link', { name: 'precondition_failed' }).getAttribute('href'),
    ).toBe('/api/v1/errors#precondition_failed');
    expect(codeOf('Change a link')).toMatch(/curl -X PATCH "http.*\/api\/v1\/links\/123"/);
    // Every link inside the page has a target.
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]'))
      expect(document.getElementById(link.hash.slice(1)), link.hash).not.toBeNull();
  });

  it('the API documentation starts in three languages', () => {
    show();
    expect(codeOf('Start')).toContain('curl http');
    fireEvent.click(screen.getByRole('radio', { name: 'Python' }));
    expect(codeOf('Start')).toContain('urllib.request');
    expect(quickStart('javascript', 'https://hop.example', 'k')).toContain(
      "Authorization: 'Bearer k'",
    );
  });

  it('asks visitors to sign up, and shows members the start of their newest key', async () => {
    show();
    expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toContain(
      'next=%2Fsettings%2Fapi',
    );
    expect(codeOf('Start')).toContain('hop_live_…');
    cleanup();
    signInAsMember();
    const keys = [{ name: 'Deploy', prefix: 'hop_live_Ab3x' }];
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ keys })));
    show();
    await screen.findByText(/your key “Deploy”/);
    expect(codeOf('Start')).toContain('Bearer hop_live_Ab3x…');
    expect(codeOf('Delete a link')).toContain('Bearer hop_live_Ab3x…');
  });
});

describe('curlOfOperation', () => {
  it('quotes the body for a shell', () => {
    const request = {
      method: 'POST',
      path: '/links',
      search: '',
      example: { url: "https://example.com/it's" },
    };
    expect(curlOfOperation(request, '', 'k')).toContain("it'\\''s");
  });
});
