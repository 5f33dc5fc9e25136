import { cleanup, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { domainList, makeDomain, makeSharedDomain } from '#web/testing/make-domain.ts';
import { serveRoutes, failure, writesOf } from '#web/testing/serve-routes.ts';
import { press, renderPage } from '#web/testing/render-page.tsx';
import { useAnnouncement } from '#web/ui/announcer.ts';
import { NewLinkDialog } from './new-link-dialog.tsx';

const LINK = {
  shortUrl: 'https://hop.example/autumn',
  code: 'autumn',
  longUrl: 'https://example.com/',
  created_at: '2026-11-21T00:00:00Z',
  usage: { current_usage: 1, monthly_limit: 25 },
};
const copied = vi.fn<(text: string) => Promise<void>>();

beforeEach(() => {
  copied.mockReset().mockResolvedValue(undefined);
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(copied);
  vi.stubGlobal('ClipboardItem', undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function show(
  answer: Parameters<typeof serveRoutes>[0][string],
  others: Parameters<typeof serveRoutes>[0] = {},
) {
  const calls = serveRoutes({
    ...others,
    'POST /api/shorten': answer,
    'GET /api/tags': { tags: [] },
    'GET /api/utm-templates': { templates: [] },
    'GET /api/qr/autumn': { qrCode: 'data:image/svg+xml,<svg/>' },
  });
  const [onCreated, onUpgrade, onClose, run] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  const page = (quotaChanges: number, pending = false) => (
    <NewLinkDialog
      quotaChanges={quotaChanges}
      onCreated={onCreated}
      onUpgrade={onUpgrade}
      edit={{ pending, run }}
      onClose={onClose}
    >
      A dialog over this one
    </NewLinkDialog>
  );
  const { rerender } = renderPage(page(0));
  await screen.findByRole('dialog', { name: 'New link' });
  return {
    calls,
    onCreated,
    onUpgrade,
    onClose,
    onEdit: run,
    changeQuota: () => rerender(page(1)),
    waitForEdit: () => rerender(page(0, true)),
  };
}
const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement | HTMLTextAreaElement>(label);
const type = (label: string, value: string): void =>
  void fireEvent.change(field(label), { target: { value } });
const announced = () => renderHook(useAnnouncement).result.current;
const created = () => screen.findByRole('dialog', { name: 'Link created' });

describe('NewLinkDialog', () => {
  it('creates the link on the chosen domain, first the default, and previews it', async () => {
    config.domains = true;
    const list = domainList([makeSharedDomain('link.example'), makeDomain()], {
      defaultDomain: 'link.example',
    });
    const { calls } = await show(failure(409, 'Not now.', { field: 'domain' }), {
      'GET /api/domains': list,
    });
    const select = await screen.findByLabelText<HTMLSelectElement>('Domain');
    const preview = screen.getByRole('complementary', { name: 'Preview of the short URL' });
    expect(select.value).toBe('link.example');
    type('Destination', 'example.com');
    type('Alias (optional)', 'sale');
    expect(preview.textContent).toContain('link.example:3000/sale');
    await press('Create link');
    await screen.findByText('Not now.');
    fireEvent.change(select, { target: { value: 'go.example.com' } });
    expect(preview.textContent).toContain('go.example.com:3000/sale');
    expect(preview.querySelector('[data-qr]')?.getAttribute('data-qr')).toBe(
      'http://go.example.com:3000/sale?qr=1',
    );
    await press('Create link');
    await screen.findByText('Not now.');
    expect(writesOf(calls).map(({ body }) => body)).toEqual([
      { longUrl: 'example.com', customCode: 'sale' },
      { longUrl: 'example.com', customCode: 'sale', domain: 'go.example.com' },
    ]);
    fireEvent.change(select, { target: { value: '' } });
    expect(screen.queryByText('Not now.')).toBeNull();
    config.domains = false;
  });

  it('sends every field, and shows the copied result in the form’s place', async () => {
    const { calls, onCreated, onEdit, waitForEdit } = await show(() =>
      Response.json(LINK, { status: 201 }),
    );
    type('Destination', ' https://example.com/ ');
    type('Alias (optional)', 'au tumn!');
    type('End date (optional)', '2100-01-31T12:00');
    type('Title (optional)', 'Autumn sale');
    type('Tags (optional)', 'autumn, 2026');
    fireEvent.blur(field('Tags (optional)'));
    type('Note (optional)', 'For the leaflet');
    await press('More options');
    await press(/^Campaign/);
    type('Source', 'mail');
    await press(/^Redirect/);
    type('Forward query parameters', 'all');
    await press('Create link');
    const dialog = within(await created());
    expect(writesOf(calls)).toEqual([
      {
        call: 'POST /api/shorten',
        body: {
          longUrl: 'https://example.com/?utm_source=mail',
          customCode: 'autumn',
          expiresAt: new Date('2100-01-31T12:00').getTime(),
          title: 'Autumn sale',
          tags: ['autumn', '2026'],
          note: 'For the leaflet',
          forwardParams: 'all',
        },
      },
    ]);
    expect(onCreated).toHaveBeenCalledWith(LINK);
    expect(await dialog.findByText('Copied')).toBeTruthy();
    expect(copied.mock.calls).toEqual([[LINK.shortUrl]]);
    expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Copy' }));
    expect(screen.queryByLabelText('Destination')).toBeNull();
    expect(dialog.getByRole('link', { name: 'Analytics' }).getAttribute('href')).toBe(
      '/analytics/autumn',
    );
    expect(await dialog.findByAltText('QR code for the short URL autumn')).toBeTruthy();
    await press('Edit');
    expect(onEdit).toHaveBeenCalledWith('autumn');
    waitForEdit();
    expect(dialog.getByRole('button', { name: 'Edit' }).getAttribute('aria-busy')).toBe('true');
    expect(announced()).toBe('Your short URL is https://hop.example/autumn. Copied!');
  });

  it('sends only what was filled in', async () => {
    const { calls } = await show(() => Response.json(LINK, { status: 201 }));
    type('Destination', ' example.com ');
    type('Title (optional)', 'x');
    type('Title (optional)', '');
    const form = field('Destination').closest('form') ?? document.body;
    fireEvent.submit(form);
    const create = screen.getByRole('button', { name: 'Create link' });
    expect(create.getAttribute('aria-busy')).toBe('true');
    fireEvent.submit(form);
    await created();
    expect(writesOf(calls).map(({ body }) => body)).toEqual([{ longUrl: 'example.com' }]);
  });

  it('says so if the browser blocks copying, and keeps Copy', async () => {
    copied.mockRejectedValue(new Error('Blocked.'));
    await show(() => Response.json(LINK, { status: 201 }));
    type('Destination', 'example.com');
    await press('Create link');
    const dialog = within(await created());
    expect(await dialog.findByText('Your browser blocked copying.')).toBeTruthy();
    expect(dialog.queryByText('Copied')).toBeNull();
    expect(announced()).toBe('Your short URL is https://hop.example/autumn');
    expect(dialog.getByRole('button', { name: 'Copy' })).toBe(document.activeElement);
  });

  it('asks for a destination without asking the server', async () => {
    const { calls } = await show({});
    await press('Create link');
    expect(screen.getByRole('alert').textContent).toBe('Paste the link that you want to shorten.');
    await waitFor(() => expect(document.activeElement).toBe(field('Destination')));
    type('Destination', 'e');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(writesOf(calls)).toEqual([]);
  });

  it.each([
    ['longUrl', 'Destination'],
    ['customCode', 'Alias (optional)'],
    ['expiresAt', 'End date (optional)'],
    ['title', 'Title (optional)'],
    ['tags.1', 'Tags (optional)'],
    ['note', 'Note (optional)'],
    ['forwardParams', 'Forward query parameters'],
  ])('shows an error about %s beside its field, and keeps everything', async (name, label) => {
    await show(async () => {
      // As late as a network would be, after the form has set the focus for what it knows itself.
      await new Promise((resolve) => setTimeout(resolve));
      return failure(400, 'Not like this.', { field: name })();
    });
    type('Destination', 'example.com');
    type('Alias (optional)', 'taken');
    type('Tags (optional)', 'one,');
    type('End date (optional)', '2100-01-31T12:00');
    type('Title (optional)', 'Autumn sale');
    type('Note (optional)', 'For the leaflet');
    await press('More options');
    await press(/^Redirect/);
    type('Forward query parameters', 'all');
    await press('Create link');
    expect((await screen.findByRole('alert')).textContent).toBe('Not like this.');
    expect(field(label).getAttribute('aria-invalid')).toBe('true');
    await waitFor(() => expect(document.activeElement).toBe(field(label)));
    expect(field('Destination').value).toBe('example.com');
    expect(field('Alias (optional)').value).toBe('taken');
    expect(screen.getByLabelText('Remove the tag one')).toBeTruthy();
    expect(copied).not.toHaveBeenCalled();
    type('Alias (optional)', 'other');
    expect(screen.queryByRole('alert') === null).toBe(name === 'customCode');
  });

  it('offers the plans when the quota is used up, until it changes', async () => {
    let isFull = true;
    const { onUpgrade, changeQuota } = await show(() =>
      isFull
        ? failure(429, 'You have used all 25.', { code: 'quota_reached', upgradeRequired: true })()
        : failure(429, 'Wait.')(),
    );
    expect(screen.getByText('A dialog over this one')).toBeTruthy();
    type('Destination', 'example.com');
    await press('Create link');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^You have used all 25\. /);
    await press('See plans');
    expect(onUpgrade).toHaveBeenCalledOnce();
    changeQuota();
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(field('Destination').value).toBe('example.com');
    isFull = false;
    await press('Create link');
    await screen.findByText('Wait.');
    expect(screen.queryByText('See plans')).toBeNull();
  });

  it('Create another starts with an empty form, and Done closes', async () => {
    const { onClose } = await show(() => Response.json(LINK, { status: 201 }));
    type('Destination', 'example.com');
    type('Tags (optional)', 'one,');
    await press('Create link');
    await created();
    await press('Create another');
    expect(field('Destination').value).toBe('');
    expect(screen.queryByLabelText('Remove the tag one')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(field('Destination')));
    type('Destination', 'example.com');
    await press('Create link');
    await created();
    await press('Done');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('previews the short URL and its QR code while the alias is typed', async () => {
    await show({});
    const preview = screen.getByLabelText('Preview of the short URL');
    const drawn = () => preview.querySelector('svg');
    const encoded = () => drawn()?.getAttribute('data-qr');
    const alias = field('Alias (optional)');
    const hint = document.getElementById(alias.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toBe('Up to 20 letters, digits, hyphens and underscores.');
    expect(alias.parentElement?.textContent).toBe('localhost:3000/');
    // Nobody can scan it, and it is as large as the largest.
    expect(drawn()?.getAttribute('class')).toContain('blur');
    expect(encoded()).toBe(`http://localhost:3000/${'x'.repeat(20)}?qr=1`);
    expect(preview.textContent).toContain('localhost:3000/·······Without an alias, we choose');
    type('Alias (optional)', 'spring');
    expect(preview.textContent).toBe('localhost:3000/spring');
    expect(encoded()).toBe('http://localhost:3000/spring?qr=1');
    expect(drawn()?.getAttribute('class')).not.toContain('blur');
  });
});
