import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type {
  AppLinkFile,
  AppLinksResponse,
  ServedAppLinkFile,
} from '#contract/pages/app-links.ts';
import { config } from '#web/shared/page/config.ts';
import { domainList, makeDomain, makeSharedDomain } from '#web/testing/make-domain.ts';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { listControls } from '#web/testing/list-controls.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { holdsPage } from '#web/ui/unsaved-changes.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { AppLinksTab } from './app-links-tab.tsx';

const ROUTE = '/api/admin/app-links';
const served = (file: AppLinkFile, content: string, host = 'hop.example'): ServedAppLinkFile => ({
  file,
  url: `https://${host}/.well-known/${file}`,
  content,
  changedAt: content === '' ? null : '2026-11-20T12:00:00Z',
  apps: content === '' ? [] : ['com.example.app'],
  status: content === '' ? 404 : 200,
  type: 'application/json',
  bytes: content.length,
});
const answer = (apple: string, android: string, ownPages = true): AppLinksResponse => ({
  ownPages,
  files: [served('apple', apple), served('android', android)],
});
const field = (name: string) => screen.getByLabelText<HTMLTextAreaElement>(name);
const type = (name: string, value: string): void => {
  fireEvent.change(field(name), { target: { value } });
};
const pressFirst = (name: string): void => {
  const [button] = screen.getAllByRole('button', { name });
  if (button !== undefined) fireEvent.click(button);
};

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('a file from an app ID keeps the pages of the site in the browser', async () => {
  const calls = serveRoutes({
    [`GET ${ROUTE}`]: answer('', ''),
    [`POST ${ROUTE}`]: answer('{"saved":1}', ''),
  });
  showPage(<AppLinksTab />);
  expect(await screen.findAllByText(/404: no file/)).toHaveLength(2);
  expect(listControls()).toEqual([
    'App ID:, autocomplete=off, “Team ID and…”',
    'apple-app-site-association:, dir=ltr, “JSON. Without text…”',
    'Package name:, autocomplete=off, “Like com.example.app.…”',
    'SHA-256 fingerprints:, “Of the signing…”',
    'assetlinks.json:, dir=ltr, “JSON. Without text…”',
  ]);
  pressFirst('Save file');
  expect(screen.getByRole('alert').textContent).toBe('Enter the text of the file.');
  pressFirst('Insert text');
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContain(
    'Enter the app ID.',
  );
  expect(screen.getAllByText(/and the pages of this site and previews/)).toHaveLength(2);
  type('App ID', ' ABCDE12345.com.example.app ');
  pressFirst('Insert text');
  const text = field('apple-app-site-association').value;
  expect(text).toContain('\n          { "/": "/api/*", "exclude": true },\n');
  const [detail] = JSON.parse(text).applinks.details;
  expect(detail.appIDs).toEqual(['ABCDE12345.com.example.app']);
  const excluded = detail.components.filter(({ exclude }: { exclude?: true }) => exclude);
  expect(excluded.map((one: Record<string, unknown>) => one['/'])).toEqual(
    expect.arrayContaining(['/', '/dashboard', '/settings/*', '/api/*', '/robots.txt', '/*+']),
  );
  expect(detail.components.at(-1)).toEqual({ '/': '/*' });
  pressFirst('Save file');
  await waitFor(() =>
    expect(takeToasts()).toMatchObject([
      { text: 'File saved.', note: 'Phones read it when the app is installed or updated.' },
    ]),
  );
  expect(writesOf(calls).map(({ body }) => body)).toEqual([
    { domain: '', file: 'apple', content: text },
  ]);
  expect(field('apple-app-site-association').value).toBe('{"saved":1}');
  expect(screen.getAllByRole('button', { name: 'Save file' })).toHaveLength(2);
  const preview = within(screen.getByRole('region', { name: 'What iPhone and iPad fetches' }));
  expect(preview.getByText(/^200 · application/).textContent).toContain('saved Nov 20, 2026');
  const content = preview.getByLabelText('Content of the file');
  // It scrolls, and the keyboard must reach it.
  expect([content.textContent, content.tabIndex]).toEqual(['{"saved":1}', 0]);
  expect(preview.getByText('com.example.app')).toBeTruthy();
});

it('a file from a package name has each fingerprint in capitals', async () => {
  serveRoutes({ [`GET ${ROUTE}`]: answer('{}', '', false) });
  showPage(<AppLinksTab />);
  await screen.findByLabelText('Package name');
  pressFirst('Insert text');
  const errors = screen.getAllByRole('alert').map(({ textContent }) => textContent);
  expect(errors).toEqual(['Enter the package name.', 'Enter at least one fingerprint.']);
  expect(screen.getByText(/opens all short links in the app, and previews/)).toBeTruthy();
  type('Package name', ' com.example.app ');
  type('SHA-256 fingerprints', ' ab:cd\n\nef:01,23:45 ');
  pressFirst('Insert text');
  const [statement] = JSON.parse(field('assetlinks.json').value);
  expect(statement.target).toEqual({
    namespace: 'android_app',
    package_name: 'com.example.app',
    sha256_cert_fingerprints: ['AB:CD', 'EF:01', '23:45'],
  });
  const [rules] = Object.values<{ dynamic_app_link_components: unknown }>(
    statement.relation_extensions,
  );
  expect(rules?.dynamic_app_link_components).toEqual([
    { '/': '/', exclude: true },
    { '/': '/*+', exclude: true },
    { '/': '/*' },
  ]);
});

it('a rejected file stays in its field with the reason, and can be removed', async () => {
  const calls = serveRoutes({
    [`GET ${ROUTE}`]: {
      ownPages: true,
      files: [{ ...served('apple', '{"old":1}'), apps: [] }, served('android', '')],
    },
    [`POST ${ROUTE}`]: (body) =>
      JSON.stringify(body).includes('"content":" "')
        ? answer('', '')
        : failure(400, 'The file needs “applinks”.')(),
  });
  showPage(<AppLinksTab />);
  await screen.findByText('200 · application/json · 9 bytes', { exact: false });
  expect(screen.getByText('It names no app.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Discard changes' })).toBeNull();
  type('apple-app-site-association', '{}');
  pressFirst('Save file');
  expect((await screen.findByRole('alert')).textContent).toBe('The file needs “applinks”.');
  expect(field('apple-app-site-association').value).toBe('{}');
  pressFirst('Discard changes');
  expect(field('apple-app-site-association').value).toBe('{"old":1}');
  type('apple-app-site-association', ' ');
  pressFirst('Remove file');
  await waitFor(() => expect(takeToasts().map((toast) => toast.text)).toEqual(['File removed.']));
  expect(writesOf(calls).at(-1)?.body).toEqual({ domain: '', file: 'apple', content: ' ' });
  type('apple-app-site-association', '{"new":1}');
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  pressFirst('Save file');
  expect(await screen.findByRole('button', { name: 'Save file', busy: true })).toBeTruthy();
});

it('the files of another host are read and saved there, and what is typed stays', async () => {
  config.domains = true;
  onTestFinished(() => void (config.domains = false));
  const host = 'link.example';
  const files = [served('apple', '{"there":1}', host), served('android', '', host)];
  const there: AppLinksResponse = { ownPages: false, files };
  const calls = serveRoutes({
    'GET /api/domains': domainList([makeSharedDomain(host), makeDomain()]),
    [`GET ${ROUTE}`]: () =>
      calls.at(-1)?.call.endsWith(`?domain=${host}`) ? there : answer('{"here":1}', ''),
    [`POST ${ROUTE}`]: there,
  });
  showPage(<AppLinksTab />);
  const select = await screen.findByLabelText<HTMLSelectElement>('Domain');
  expect([...select.options].map(({ text }) => text)).toEqual(['localhost:3000', host]);
  type('apple-app-site-association', 'typed');
  fireEvent.change(select, { target: { value: host } });
  await screen.findByText(`https://${host}/.well-known/apple`);
  expect(field('apple-app-site-association').value).toBe('{"there":1}');
  type('apple-app-site-association', '{"there":2}');
  pressFirst('Save file');
  await waitFor(() => expect(takeToasts()).toHaveLength(1));
  const body = { domain: host, file: 'apple', content: '{"there":2}' };
  expect(writesOf(calls).map((write) => write.body)).toEqual([body]);
  fireEvent.change(select, { target: { value: '' } });
  await waitFor(() => expect(field('apple-app-site-association').value).toBe('typed'));
  expect(holdsPage()).toBe(true);
  pressFirst('Discard changes');
  expect(holdsPage()).toBe(false);
});

it('files that cannot be loaded show why', async () => {
  serveRoutes({ [`GET ${ROUTE}`]: failure(503, 'Try again in a moment.') });
  showPage(<AppLinksTab />);
  expect(await screen.findByText(/The files could not be loaded/)).toBeTruthy();
});
