import type { Page } from '@playwright/test';
import type { DomainRecord } from '#contract/domains.ts';
import {
  CNAME_RECORD,
  domainList,
  makeDomain,
  makeSharedDomain,
  TXT_RECORD,
} from '#web/testing/make-domain.ts';
import { failing, type Screenshot } from './screenshot.ts';

const path = '/settings/domains';
const txtOf = (host: string): DomainRecord => ({ ...TXT_RECORD, name: `_hop.${host}` });
const missingAt = (host: string): DomainRecord[] => [
  txtOf(host),
  { ...CNAME_RECORD, name: host, state: 'missing', seen: [] },
];
const named = (name: string): { name: string; displayName: string } => ({
  name,
  displayName: name,
});

const EVERY_STATE = [
  makeSharedDomain('go.localhost'),
  makeDomain({
    ...named('new.example.com'),
    state: 'unproven',
    fault: 'wrong_value',
    records: [{ ...txtOf('new.example.com'), state: 'wrong', seen: ['hop-domain=old'] }],
  }),
  makeDomain({
    ...named('next.example.com'),
    state: 'pending',
    fault: 'record_missing',
    records: missingAt('next.example.com'),
  }),
  makeDomain({
    rootUrl: 'https://example.com/',
    notFoundUrl: 'https://example.com/not-found',
    offeredUntil: '2026-12-04T12:00:00Z',
  }),
  makeDomain({
    ...named('lost.example.com'),
    state: 'failing',
    fault: 'moved',
    records: missingAt('lost.example.com'),
  }),
  makeDomain({
    name: 'xn--bcher-kva.example',
    displayName: 'bücher.example',
    state: 'suspended',
    suspendedReason: 'Several links lead to a fake bank',
  }),
];

/** The product that is pictured has no platform for members' domains, so this answers for it. */
const domains =
  (own: typeof EVERY_STATE) =>
  async (page: Page): Promise<void> => {
    const offers = own.map(() => ({ ...named('gift.example.org'), from: 'a@example.org' }));
    const list = domainList(own, { limit: 10, offers: offers.slice(0, 1) });
    await page.route('**/api/domains', (route) => route.fulfill({ json: list }));
    await page.route('**/api/domains/*/check', (route) => {
      const host = new URL(route.request().url()).pathname.split('/').at(-2);
      return route.fulfill({ json: own.find(({ name }) => name === host) });
    });
    await page.route('**/api/domains/go.example.com', (route) =>
      route.fulfill({ json: { ...makeDomain(), links: 12, clicks30Days: 3400 } }),
    );
  };

const choose =
  (item: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for go.example.com' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

export const DOMAIN_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'domains', path, who: 'user', state: 'empty', before: domains([]) },
  { name: 'domains', path, who: 'user', state: 'full', before: domains(EVERY_STATE) },
  { name: 'domains', path, who: 'user', state: 'error', before: failing('/api/domains') },
  {
    name: 'domain-dialog',
    path,
    who: 'user',
    state: 'error',
    before: domains([]),
    after: async (page) => {
      await page.getByRole('button', { name: 'Add domain' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Domain').fill('acme');
      await dialog.getByRole('button', { name: 'Add domain' }).click();
    },
  },
  {
    name: 'domain-pages-dialog',
    path,
    who: 'user',
    state: 'full',
    before: domains(EVERY_STATE),
    after: choose('Root and unknown codes'),
  },
  {
    name: 'domain-delete-dialog',
    path,
    who: 'user',
    state: 'full',
    before: domains(EVERY_STATE),
    after: async (page) => {
      await choose('Delete domain')(page);
      await page.getByLabel(/^Type /).waitFor();
    },
  },
];
