import type { Page } from '@playwright/test';
import { failing, type Screenshot } from './screenshot.ts';

export const API_KEY_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'api-keys', path: '/settings/api', who: 'new', state: 'empty' },
  { name: 'api-keys', path: '/settings/api', who: 'new', state: 'full', before: apiKeys },
  {
    name: 'api-keys',
    path: '/settings/api',
    who: 'user',
    state: 'error',
    before: failing('/api/keys'),
  },
  {
    name: 'api-key-dialog',
    path: '/settings/api',
    who: 'user',
    state: 'full',
    after: (page) => page.getByRole('button', { name: 'Create key' }).click(),
  },
  {
    name: 'api-key-secret',
    path: '/settings/api',
    who: 'new',
    state: 'full',
    after: async (page) => {
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Deploy script');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'Copy your API key' }).waitFor();
    },
  },
];

/** Creates two API keys, one of which is being rotated. */
async function apiKeys(page: Page, headers: Record<string, string>): Promise<void> {
  const create = async (data: object): Promise<string> =>
    (await (await page.request.post('/api/keys', { headers, data })).json()).id;
  const scopes = ['links:read', 'links:write', 'analytics:read'];
  const id = await create({
    name: 'Newsletter automation in the marketing account',
    scopes,
    expiresAt: '2099-01-01T00:00:00Z',
  });
  await page.request.post(`/api/keys/${id}/rotate`, { headers, data: {} });
  await create({ name: 'Phone shortcut', scopes: ['links:create'], codePrefix: 'me-' });
}
