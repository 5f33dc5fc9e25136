import type { Page } from '@playwright/test';
import { failing, type Screenshot } from './screenshot.ts';

const path = '/settings/webhooks';

export const WEBHOOK_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'webhooks', path, who: 'new', state: 'empty' },
  { name: 'webhooks', path, who: 'user', state: 'error', before: failing('/api/webhooks') },
  {
    name: 'webhooks',
    path,
    who: 'new',
    state: 'full',
    before: webhooks,
    after: async (page) => {
      await page.getByRole('button', { name: 'Show deliveries' }).last().click();
      await page
        .getByRole('region', { name: 'Deliveries' })
        .getByText('link.created', { exact: true })
        .first()
        .click();
    },
  },
  {
    name: 'webhook-dialog',
    path,
    who: 'user',
    state: 'full',
    after: (page) => page.getByRole('button', { name: 'Add webhook' }).click(),
  },
];

/** Adds two webhooks, disables one, and creates a link whose events wait for the other. */
async function webhooks(page: Page, headers: Record<string, string>): Promise<void> {
  const create = async (data: object): Promise<string> =>
    (await (await page.request.post('/api/webhooks', { headers, data })).json()).id;
  const events = ['link.created', 'link.updated', 'link.disabled', 'link.deleted', 'link.clicked'];
  await create({
    url: 'https://hooks.example/services/T024BE7LD/inbound?token=4f2c1a',
    description: 'Order system',
    events,
  });
  const id = await create({ url: 'https://automation.example/in', events: ['link.deleted'] });
  await page.request.patch(`/api/webhooks/${id}`, { headers, data: { enabled: false } });
  await page.request.post('/api/shorten', {
    headers,
    data: { longUrl: 'https://example.com/summer-sale' },
  });
}
