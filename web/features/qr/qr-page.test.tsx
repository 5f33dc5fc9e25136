import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PLAIN_QR, type QrPreset } from '#contract/presets/qr-presets.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { QrPage } from './qr-page.tsx';

const PRESETS: QrPreset[] = [
  {
    id: 1,
    name: 'Brand',
    style: { ...PLAIN_QR, modules: 'dots', foreground: '#0a3d62' },
    logo: '',
    isDefault: true,
  },
  { id: 2, name: 'Round', style: { ...PLAIN_QR, eyes: 'circle' }, logo: '', isDefault: false },
];

/** Serves the part of the API that the page uses. Returns the write requests. */
function serve(
  overrides: (path: string) => Response | null = () => null,
): { path: string; body: unknown }[] {
  const sent: { path: string; body: unknown }[] = [];
  const answer = (path: string, init: RequestInit | undefined): Response => {
    const overridden = overrides(path);
    if (overridden !== null) return overridden;
    if (path.startsWith('/api/links/'))
      return Response.json({ short_code: 'a', short_url: 'https://go.example/a' });
    if (init?.method === undefined || init.method === 'GET')
      return Response.json({ presets: PRESETS });
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    sent.push({ path: `${init.method} ${path}`, body });
    return Response.json(PRESETS[0]);
  };
  const mock = vi.fn<typeof fetch>(async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    // The presets arrive after the link.
    if (pathname === '/api/qr-presets') await new Promise((resolve) => setTimeout(resolve, 10));
    return answer(pathname, init);
  });
  vi.stubGlobal('fetch', mock);
  return sent;
}

function show(path = '/qr/a'): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        <Routes>
          <Route path="/qr/:code" element={<QrPage />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('QrPage', () => {
  it('begins with the default preset, saves changes to it, and begins plain on request', async () => {
    const sent = serve();
    show();
    expect(await screen.findByRole('radio', { name: 'Dots', checked: true })).toBeTruthy();
    expect(screen.getByText('go.example/a')).toBeTruthy();
    const parent = screen.getByRole('link', { name: 'My URLs' });
    expect(parent.getAttribute('href')).toBe('/dashboard');
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
    fireEvent.change(screen.getByLabelText('Code color'), { target: { value: 'ABC' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Save changes' }));
    await waitFor(() => {
      expect(sent).toEqual([
        {
          path: 'PATCH /api/qr-presets/1',
          body: { style: { ...PLAIN_QR, modules: 'dots', foreground: '#aabbcc' }, logo: '' },
        },
      ]);
    });
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Preset saved.' }]));
    fireEvent.change(screen.getByRole('combobox', { name: 'Preset' }), { target: { value: '' } });
    expect(screen.getByLabelText<HTMLInputElement>('Code color').value).toBe(PLAIN_QR.foreground);
  });

  it('a preset counts as saved once the presets have loaded again', async () => {
    serve();
    show();
    fireEvent.change(await screen.findByLabelText('Code color'), { target: { value: 'ABC' } });
    let reloads = 0;
    vi.stubGlobal('fetch', (_: string, { method }: RequestInit) => {
      if (method === 'PATCH') return Promise.resolve(Response.json(PRESETS[0]));
      reloads += 1;
      return new Promise(() => undefined);
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(reloads).toBe(1));
    expect(screen.getByRole('button', { name: 'Save changes', busy: true })).toBeTruthy();
    expect(takeToasts()).toEqual([]);
  });

  it('exports no code that scanners cannot read', async () => {
    serve();
    show();
    fireEvent.change(await screen.findByLabelText('Code color'), { target: { value: '#ffffff' } });
    fireEvent.change(screen.getByLabelText('Background color'), { target: { value: '#000000' } });
    expect((await screen.findByRole('alert')).textContent).toContain(
      'must be darker than its background',
    );
    for (const format of ['PNG', 'PDF', 'SVG'])
      expect(
        screen.getByRole<HTMLButtonElement>('button', { name: `Download ${format}` }).disabled,
        format,
      ).toBe(true);
  });

  it('the studio works without presets, and says when the link is unknown', async () => {
    serve((path) =>
      path === '/api/qr-presets' ? Response.json({ error: 'x' }, { status: 500 }) : null,
    );
    show();
    expect(await screen.findByText('We couldn’t load your presets.')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Download SVG' }).disabled).toBe(
      false,
    );
    cleanup();
    serve((path) =>
      path === '/api/links/d.abcdefghjk%2Fa'
        ? Response.json({ error: 'x' }, { status: 404 })
        : null,
    );
    show('/qr/d.abcdefghjk%2Fa');
    expect(await screen.findByText('We couldn’t find that link in your account.')).toBeTruthy();
    expect(screen.getByText('Go to My URLs').closest('a')?.getAttribute('href')).toBe('/dashboard');
    expect(screen.queryByText('We couldn’t load your presets.')).toBeNull();
    expect(document.title).toMatch(/^QR code for a\b/);
    cleanup();
    serve(() => Response.json({ error: 'x' }, { status: 500 }));
    show();
    expect(await screen.findByText('We couldn’t load the link.')).toBeTruthy();
    expect(screen.getByText('localhost:3000/a')).toBeTruthy();
    expect(screen.queryByText('We couldn’t load your presets.')).toBeNull();
  });
});
