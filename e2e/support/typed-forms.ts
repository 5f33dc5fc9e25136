import { randomInt } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { execute, query } from './database.ts';
import { newMember, type SignedIn } from './sign-in.ts';

/** A form with what a person types there. */
export type TypedForm = {
  name: string;
  path: string | ((page: Page, person: SignedIn) => Promise<string>);
  /** Opens the form and returns its element. */
  open: (page: Page) => Promise<Locator>;
  fill: (form: Locator, text: string, person: SignedIn) => Promise<void>;
  submit: string | RegExp;
  /** What shows that the server has saved it. */
  saved: (page: Page, text: string) => Locator;
  isDialog?: false;
  /** The form belongs to somebody who is not signed in, so no session can end. */
  isForVisitors?: true;
  onSaved?: (person: SignedIn, text: string) => void;
};

const said = (text: string | RegExp) => (page: Page) => page.getByText(text).last();
const field = (label: string) => (form: Locator, text: string) => form.getByLabel(label).fill(text);

function menuItem(item: string) {
  return async (page: Page): Promise<Locator> => {
    await page
      .getByRole('button', { name: /^More actions for/ })
      .last()
      .click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    return page.getByRole('dialog');
  };
}
function button(name: string) {
  return async (page: Page): Promise<Locator> => {
    await page.getByRole('button', { name }).first().click();
    return page.getByRole('dialog');
  };
}

const lastCode = ({ id }: SignedIn): string =>
  String(query('SELECT code FROM links WHERE user_id = ? ORDER BY id LIMIT 1', id)[0]?.['code']);

/** Gives the member a domain, for which the product under test has no platform. */
async function domainsPath(_: Page, { id: userId }: SignedIn): Promise<string> {
  const id = `d.${randomInt(1e9, 1e10)}`;
  const host = `${id.slice(2)}.acme.example`;
  await execute(
    'INSERT INTO domains (id, owner_id, name, created_at) VALUES (?, ?, ?, 1)',
    id,
    userId,
    host,
  );
  await execute(
    'INSERT INTO domain_hosts (host, domain_id, proven_at, active_at, created_at) VALUES (?, ?, 1, 1, 1)',
    host,
    id,
  );
  return '/settings/domains';
}

export const MEMBER_FORMS: readonly TypedForm[] = [
  {
    name: 'UTM template',
    path: '/dashboard',
    open: async (page) => {
      const dialog = await menuItem('Edit link')(page);
      await dialog.getByRole('button', { name: 'More options' }).click();
      await dialog.getByRole('button', { name: /^Campaign/ }).click();
      await dialog.getByLabel('Source').fill('mail');
      await dialog.getByRole('button', { name: 'Save as template' }).click();
      return dialog;
    },
    fill: field('Name of the template'),
    submit: 'Save template',
    saved: said('Template saved.'),
  },
  {
    name: 'edit link',
    path: '/dashboard',
    open: menuItem('Edit link'),
    fill: field('Title'),
    submit: 'Save link',
    saved: said('Link saved.'),
  },
  {
    name: 'rename link',
    path: '/dashboard',
    open: menuItem('Rename link'),
    fill: field('New code'),
    submit: 'Rename link',
    saved: said(/^Link renamed\./),
  },
  {
    name: 'bulk action',
    path: '/dashboard',
    open: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .last()
        .press('Space');
      await page
        .getByRole('region', { name: 'Selected links' })
        .getByRole('button', { name: 'Tag' })
        .click();
      return page.getByRole('dialog');
    },
    fill: async (form, text) => {
      await form.getByLabel('Tags').fill(text);
      await form.getByLabel('Tags').press('Enter');
    },
    submit: 'Change 1 link',
    saved: said('1 link tagged.'),
  },
  {
    name: 'many links',
    path: '/dashboard',
    open: async (page) => {
      await page.getByRole('button', { name: 'Add many links' }).click();
      await page.getByRole('menuitem', { name: 'Shorten many links' }).click();
      return page.getByRole('dialog');
    },
    fill: (form, text) =>
      form.getByLabel('Destinations, one per line').fill(`https://elsewhere.example/${text}`),
    submit: 'Shorten 1 link',
    saved: said(/^1 link created\.$/),
  },
  {
    name: 'view',
    path: '/dashboard?status=active',
    open: button('Save or delete views'),
    fill: field('Save the current list as'),
    submit: 'Save view',
    saved: said(/^View “.*” saved\.$/),
  },
  {
    name: 'API key',
    path: '/settings/api',
    open: button('Create key'),
    fill: field('Name'),
    submit: 'Create key',
    saved: (page) => page.getByRole('dialog', { name: 'Copy your API key' }),
  },
  {
    name: 'webhook',
    path: '/settings/webhooks',
    open: button('Add webhook'),
    fill: (form, text) => form.getByLabel('Address').fill(`https://hooks.example/${text}`),
    submit: 'Add webhook',
    saved: (page) => page.getByRole('dialog', { name: 'Copy the signing secret' }),
  },
  {
    name: 'post',
    path: '/admin/blogs',
    open: async (page) => page.getByRole('form', { name: 'New post' }),
    fill: async (form, text) => {
      await form.getByLabel('Title').fill(text);
      await form.getByLabel('Content').fill('Every word of it.');
    },
    submit: 'Save draft',
    saved: said(/^Draft saved\./),
    isDialog: false,
  },
  {
    name: 'report of a link',
    path: '/report',
    open: async (page) => page.locator('form'),
    fill: async (form, text) => {
      await form.getByLabel('Short URL').fill(text);
      await form.getByLabel('Something else').check();
      await form.getByLabel('Details').fill('It asks for a password.');
    },
    submit: 'Send report',
    saved: said('Thank you. We received your report.'),
    isDialog: false,
    isForVisitors: true,
  },
  {
    name: 'Home',
    path: '/',
    open: async (page) => page.getByRole('form', { name: 'Shorten a link' }),
    fill: async (form, text) => {
      await form.getByLabel('Destination').fill('https://elsewhere.example/home');
      const alias = form.getByLabel('Alias (optional)');
      // Below the previous result the options are closed.
      const options = form.getByRole('button', { name: 'Alias and options' });
      await alias.or(options).first().waitFor();
      if (await options.isVisible()) await options.click();
      await alias.fill(text);
    },
    submit: 'Shorten URL',
    saved: (page, text) => page.getByRole('region', { name: 'Your short URL' }).getByText(text),
    isDialog: false,
  },
  {
    name: 'QR preset',
    path: async (_, person) => `/qr/${lastCode(person)}`,
    open: button('Save as preset…'),
    fill: field('Name'),
    submit: 'Save preset',
    saved: said('Preset saved.'),
  },
  {
    name: 'password',
    path: '/settings',
    open: async (page) => page.locator('form').filter({ hasText: 'New password' }),
    fill: async (form, text, { password }) => {
      await form.getByLabel('Current password').fill(password);
      await form.getByLabel('New password').fill(text);
    },
    submit: 'Change password',
    saved: said('Password changed.'),
    isDialog: false,
    onSaved: (person, text) => {
      person.password = text;
    },
  },
  {
    name: 'new link',
    path: '/settings/data',
    open: async (page) => {
      await page.keyboard.press('c');
      return page.getByRole('dialog');
    },
    fill: (form, text) => form.getByLabel('Destination').fill(`https://elsewhere.example/${text}`),
    submit: 'Create link',
    saved: (page) => page.getByRole('dialog', { name: 'Link created' }),
  },
  {
    name: 'shared report',
    path: async (_, person) => `/analytics/${lastCode(person)}`,
    open: menuItem('Share report'),
    fill: field('Title'),
    submit: 'Create and copy address',
    saved: (page) => page.getByRole('dialog', { name: 'Report shared' }),
  },
  {
    name: 'pages of a domain',
    path: domainsPath,
    open: async (page) => {
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Root and unknown codes' }).click();
      return page.getByRole('dialog');
    },
    fill: (form, text) =>
      form.getByLabel('Root (optional)').fill(`https://elsewhere.example/${text}`),
    submit: 'Save domain',
    saved: said('Domain saved.'),
  },
];

export const ADMIN_FORMS: readonly TypedForm[] = [
  {
    name: 'suspension',
    path: async (page) => `/admin?tab=users&q=${(await newMember(page)).email}`,
    open: menuItem('Suspend user'),
    fill: field('Reason'),
    submit: 'Suspend user',
    saved: said('User suspended.'),
  },
  {
    name: 'blocked hosts',
    path: '/admin?tab=blocklist',
    open: async (page) => page.locator('form').filter({ hasText: 'Choose a text file' }),
    fill: (form, text) => form.getByLabel('Hosts').fill(`${text}.example.org`),
    submit: 'Add hosts',
    saved: said('1 host added.'),
    isDialog: false,
  },
];
