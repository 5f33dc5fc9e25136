import type { Page } from '@playwright/test';
import type { MyLinksResponse } from '#contract/links/links.ts';
import { newAlias } from './links.ts';
import { chooseAction, type Screenshot } from './screenshot.ts';

async function organise(page: Page, headers: Record<string, string>): Promise<void> {
  const page1: MyLinksResponse = await (await page.request.get('/api/my-urls', { headers })).json();
  const codes = page1.urls.map((link) => link.short_code);
  const change = (code: string | undefined, data: object) =>
    page.request.patch(`/api/links/${code}`, { headers, data });
  await change(codes[0], {
    title: 'Spring sale, newsletter of the first week',
    tags: ['Launch', 'Newsletter'],
    favorite: true,
  });
  await change(codes[1], {
    tags: ['Docs'],
    note: 'On the back of the leaflet. Ask the print shop before changing it.',
  });
  await change(codes[2], {
    title:
      'A title of a link that is much longer than any row of the list can show at once, on every screen',
    tags: ['Launch', 'Docs', 'A tag with quite a long name', 'Q3'],
  });
  const data = { codes: codes.slice(3, 4), action: 'delete' };
  await page.request.post('/api/links/actions', { headers, data });
}

const openFilters = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Filter', exact: true }).click();

const ORGANISED = {
  path: '/dashboard',
  who: 'user',
  state: 'full',
  before: organise,
} as const;

/** The tools of the list of links. */
export const LINK_SCREENSHOTS: readonly Screenshot[] = [
  {
    name: 'links-filters',
    ...ORGANISED,
    path: '/dashboard?tag=Launch',
    after: openFilters,
  },
  {
    name: 'links-selected',
    ...ORGANISED,
    after: async (page) => {
      for (const n of [0, 2]) await page.getByRole('checkbox').nth(n).check({ force: true });
      await page.getByRole('button', { name: 'More actions for the selected links' }).click();
    },
  },
  {
    name: 'links-bar',
    ...ORGANISED,
    after: async (page) => {
      for (const n of [0, 2]) await page.getByRole('checkbox').nth(n).check({ force: true });
      await page.getByRole('button', { name: 'Export' }).waitFor();
    },
  },
  {
    name: 'links-purge',
    ...ORGANISED,
    path: '/dashboard?status=trash',
    after: (page) => page.getByRole('button', { name: 'Empty trash' }).click(),
  },
  {
    name: 'new-link-dialog',
    ...ORGANISED,
    path: '/dashboard?tag=Launch',
    after: (page) => page.keyboard.press('c'),
  },
  {
    name: 'new-link-dialog',
    path: '/settings',
    who: 'user',
    state: 'error',
    after: async (page) => {
      await page.keyboard.press('c');
      const dialog = page.getByRole('dialog', { name: 'New link' });
      await dialog.getByLabel('Destination').fill('https://example.com/autumn?utm_source=mail');
      await dialog.getByLabel('Alias (optional)').fill('admin');
      await dialog.getByLabel('Tags (optional)').fill('autumn, newsletter, 2026,');
      await dialog.getByRole('button', { name: 'Create link' }).click();
      await dialog.getByRole('alert').waitFor();
    },
  },
  {
    name: 'new-link-result-dialog',
    path: '/dashboard?sort=-clicks',
    who: 'new',
    state: 'full',
    before: async (page, headers) => {
      for (const path of ['a', 'b', 'c'])
        await page.request.post('/api/shorten', {
          headers,
          data: { longUrl: `https://example.com/${path}` },
        });
    },
    after: async (page) => {
      // Keys work from the time that the links show.
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .waitFor();
      await page.keyboard.press('c');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Destination').fill('https://example.com/autumn/sale?page=2');
      await dialog.getByRole('button', { name: 'Create link' }).click();
      await dialog.getByRole('button', { name: 'Create another' }).waitFor();
    },
  },
  {
    name: 'links-edit',
    ...ORGANISED,
    after: (page) => chooseAction(page, 'Edit link'),
  },
  {
    name: 'links-options',
    path: '/dashboard',
    who: 'user',
    state: 'full',
    before: async (page, headers) => {
      const data = { name: 'Leaflet', source: 'leaflet', medium: 'print' };
      await page.request.post('/api/utm-templates', { headers, data });
    },
    after: async (page) => {
      await chooseAction(page, 'Edit link');
      await page.getByRole('button', { name: 'More options' }).click();
      for (const group of [/^Campaign/, /^Redirect/])
        await page.getByRole('button', { name: group }).click();
      await page.getByLabel('Template').selectOption('Leaflet');
      await page.getByLabel('Forward query parameters').selectOption('Only those I list');
      await page.getByRole('button', { name: 'Save link' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'links-tags',
    ...ORGANISED,
    after: async (page) => {
      await page.getByRole('button', { name: 'More for this list' }).click();
      await page.getByRole('menuitem', { name: 'Manage tags' }).click();
    },
  },
  {
    name: 'links-history',
    ...ORGANISED,
    after: (page) => chooseAction(page, 'History'),
  },
  {
    name: 'links-card',
    ...ORGANISED,
    after: (page) => chooseAction(page, 'Preview card'),
  },
  {
    name: 'links-rename',
    path: '/dashboard',
    who: 'new',
    state: 'full',
    before: async (page, headers) => {
      const data = { longUrl: 'https://example.com/spring', customCode: newAlias() };
      await page.request.post('/api/shorten', { headers, data });
      for (const customCode of [newAlias(), newAlias()])
        await page.request.patch(`/api/links/${data.customCode}`, {
          headers,
          data: { customCode },
        });
    },
    after: (page) => chooseAction(page, 'Rename link'),
  },
  {
    name: 'links-views',
    path: '/dashboard?tag=Launch&sort=-clicks',
    who: 'user',
    state: 'full',
    before: async (page, headers) => {
      await organise(page, headers);
      for (const [name, filters] of [
        ['Launch, by clicks', { tag: 'Launch', sort: '-clicks' }],
        [
          'Ended links of the documentation, oldest first',
          { status: 'expired', tag: 'Docs', sort: 'created' },
        ],
      ])
        await page.request.post('/api/views', { headers, data: { name, filters } });
    },
    after: async (page) => {
      await page.getByRole('button', { name: 'Save or delete views' }).click();
      await page.getByRole('button', { name: 'Open the view Launch, by clicks' }).waitFor();
    },
  },
  {
    name: 'links-trash',
    ...ORGANISED,
    path: '/dashboard?status=trash',
  },
];
