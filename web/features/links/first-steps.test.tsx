import { act, cleanup, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedLink } from '#contract/links/links.ts';
import { changeFirstSteps, rememberQr } from '#web/shared/links/stored-first-steps.ts';
import { rejection, serve } from '#web/testing/fake-server.ts';
import { makeLink } from '#web/testing/make-link.ts';
import { currentAddress, press, renderPage } from '#web/testing/render-page.tsx';
import { useHasSteps } from './first-steps.tsx';
import { toApiQuery, useLinkFilters } from './link-filters.ts';
import { LinkList } from './link-list.tsx';
import { useLinks } from './queries.ts';

function Page({ onCreated }: { onCreated: (usage: unknown) => void }) {
  const list = useLinkFilters();
  const query = useLinks(toApiQuery(list.filters));
  return <LinkList query={query} list={list} onShareTag={vi.fn()} onCreated={onCreated} />;
}

/** A server with these links, which have as many clicks. `trash` are deleted ones. */
function show(links: ListedLink[], { clicks = 0, trash = [] as ListedLink[] } = {}) {
  const state = { links, clicks, error: '' };
  const onCreated = vi.fn();
  const requests = serve(({ method, path, query }) => {
    if (method === 'POST' && path === '/api/shorten') {
      if (state.error !== '') return rejection(400, state.error);
      state.links = [makeLink({ click_count: 0, created_at: new Date().toISOString() })];
      return { usage: { current_usage: 1, monthly_limit: 25 } };
    }
    if (path === '/api/link-activity')
      return { links: [{ id: 1, clicks: state.clicks, days: [], lastClickAt: null }] };
    if (path !== '/api/my-urls') return { tags: [], views: [] };
    const urls = query.get('status') === 'trash' ? trash : state.links;
    const totals = { links: state.links.length, clicks: state.clicks, active: 0, countedAt: null };
    return { urls, nextCursor: null, totals };
  });
  renderPage(<Page onCreated={onCreated} />, ['/dashboard']);
  return { state, requests, onCreated };
}
const steps = () => screen.queryByRole('region', { name: 'First steps' });

beforeEach(() => {
  changeFirstSteps({ isOpen: false, isDismissed: false, hasQr: false });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('FirstSteps', () => {
  it('lead from an empty list to a link, a click and a QR code, and then leave', async () => {
    const { state, requests, onCreated } = show([]);
    expect(await screen.findByText('No URLs yet')).toBeTruthy();
    const field = await screen.findByLabelText<HTMLInputElement>('Destination');
    expect(field.dir).toBe('ltr');
    fireEvent.change(field, { target: { value: ' example.com ' } });
    expect(screen.getByText('It shows here within seconds.')).toBeTruthy();
    const imports = screen.getByRole('link', { name: 'import links' });
    expect(imports.getAttribute('href')).toBe('/links/import');
    await press('Shorten');
    const open = await screen.findByRole('link', { name: 'Open the link' });
    expect(requests).toContain('POST /api/shorten {"longUrl":"example.com"}');
    expect(open.getAttribute('href')).toBe('https://hop.example/abc');
    expect(onCreated).toHaveBeenCalledWith({ current_usage: 1, monthly_limit: 25 });
    state.clicks = 1;
    expect(await screen.findByText('Your first click has arrived.')).toBeTruthy();
    expect(steps()).toBeTruthy();
    rememberQr();
    await waitFor(() => expect(steps()).toBeNull());
  });

  it('asks for the first click every half second, and for nothing once it is there', async () => {
    const { state, requests } = show([
      makeLink({ click_count: 0, created_at: new Date().toISOString() }),
      makeLink({ id: 2, short_code: 'older', click_count: 0 }),
    ]);
    const asked = () => requests.filter((text) => text.includes('link-activity')).length;
    await screen.findByText('Waiting for the click…');
    const titles = () => [...document.querySelectorAll('ol > li p')].map((p) => p.textContent);
    const click = 'Open it and watch the click arrive';
    expect(titles()).toEqual(['Paste a link, done', click, 'Print its QR code']);
    act(() => rememberQr());
    expect(titles()).toEqual(['Paste a link, done', click, 'Print its QR code, done']);
    expect(screen.queryByText('Show the QR code')).toBeNull();
    act(() => changeFirstSteps({ hasQr: false }));
    const open = screen.getByRole('link', { name: 'Open the link' });
    expect(['href', 'target', 'rel'].map((name) => open.getAttribute(name))).toEqual([
      'https://hop.example/abc',
      '_blank',
      'noopener',
    ]);
    await waitFor(() => expect(asked()).toBeGreaterThan(2));
    state.clicks = 1;
    await screen.findByText('Your first click has arrived.');
    expect(titles()).toEqual(['Paste a link, done', `${click}, done`, 'Print its QR code']);
    await press('Show the QR code');
    await screen.findByRole('dialog', { name: 'QR code of abc' });
    await new Promise((done) => setTimeout(done, 500));
    const before = asked();
    await new Promise((done) => setTimeout(done, 1_200));
    expect(asked()).toBe(before);
  });

  it('keeps a rejected link in the field, with the reason', async () => {
    const { state } = show([]);
    state.error = 'This is not a web address.';
    const field = await screen.findByLabelText<HTMLInputElement>('Destination');
    fireEvent.change(field, { target: { value: 'example' } });
    await press('Shorten');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getByText('This is not a web address.')).toBeTruthy();
    expect(field.value).toBe('example');
  });

  it('stay hidden once they are hidden, in an empty list that has a button instead', async () => {
    show([]);
    await press('Hide the first steps');
    expect(steps()).toBeNull();
    expect(screen.getByRole('link', { name: 'Shorten a link' })).toBeTruthy();
    expect(JSON.parse(localStorage.getItem('hop.first-steps') ?? '')).toMatchObject({
      isDismissed: true,
    });
  });

  it('mention the trash only if there is something in it', async () => {
    show([], { trash: [makeLink()] });
    await screen.findByRole('button', { name: 'Open trash' });
    expect(screen.queryByText('Shorten a link')).toBeNull();
    await press('Open trash');
    expect(currentAddress()).toBe('/dashboard?status=trash');
    await screen.findByText(/^The trash:/);
    expect(steps()).toBeNull();
    cleanup();
    const { requests } = show([]);
    await waitFor(() => expect(requests).toContain('GET /api/my-urls?status=trash'));
    expect(screen.queryByRole('button', { name: 'Open trash' })).toBeNull();
  });

  it.each([
    [0, 0, {}, true],
    [10, 0, { hasQr: true }, true],
    [11, 0, { isOpen: true }, false],
    [2, 9, {}, false],
    [2, 9, { isOpen: true }, true],
    [2, 9, { isOpen: true, hasQr: true }, false],
    [0, 0, { isOpen: true, isDismissed: true }, false],
  ])('steps for %i links with %i clicks and %o: %s', (links, clicks, stored, has) => {
    changeFirstSteps(stored);
    expect(renderHook(() => useHasSteps({ links, clicks })).result.current).toBe(has);
  });
});
