import { signInAs } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('both demo accounts have views, UTM templates and QR designs', async ({ browser }) => {
  for (const who of ['admin', 'user'] as const) {
    const page = await browser.newPage();
    const { headers } = await signInAs(page, who);
    const lists = await Promise.all(
      ['views', 'utm-templates', 'qr-presets'].map(async (path) =>
        Object.values(await (await page.request.get(`/api/${path}`, { headers })).json()).flat(),
      ),
    );
    expect(
      lists.map(({ length }) => length),
      who,
    ).toEqual([2, 3, 2]);
    await page.close();
  }
});

test('the demo webhook has delivered its events, and waits for none', async ({ page }) => {
  const { headers } = await signInAs(page, 'admin');
  const get = async (path: string) => (await page.request.get(path, { headers })).json();
  const [webhook] = (await get('/api/webhooks')).webhooks;
  expect(webhook).toMatchObject({ tag: 'Launch', disabled: null, failingSince: null });
  const { deliveries } = await get(`/api/webhooks/${webhook.id}/deliveries`);
  expect(deliveries.length).toBeGreaterThan(2);
  for (const delivery of deliveries)
    expect(delivery).toMatchObject({ type: 'link.created', status: 'delivered' });
  const again = deliveries.filter(({ attempts }: { attempts: number }) => attempts === 2);
  expect(again).toHaveLength(1);
  const [report] = (await get('/api/shared-reports')).reports;
  expect(report).toMatchObject({ subject: { kind: 'tag', name: 'Launch' }, available: true });
});
