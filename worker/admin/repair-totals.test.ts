import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { AdminLogResponse, AdminStats } from '#contract/moderation/admin.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { verifyTotals } from '#worker/clicks/maintenance/verify-totals.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';

describe('repairTotals', () => {
  it('shows drift, repairs it and records the repair', async () => {
    const { headers } = await makePerson({ role: 'admin' });
    const stats = async (): Promise<AdminStats> =>
      (await call('/api/admin?action=stats', { headers })).json();
    expect((await stats()).click_proof).toBeNull();

    await makeLinks([1]);
    await foldWindows(env.DB, [makeWindow([makeClick(1), makeClick(1)])], Date.now());
    await env.DB.prepare('UPDATE link_totals SET human = 5').run();
    await verifyTotals(env, Date.now());
    const drift = [{ short_code: 'link1', figure: 'human', expected: 2, found: 5 }];
    expect((await stats()).click_proof).toMatchObject({ ok: false, links: 1, drift });

    const repair = await call('/api/admin', { headers, json: { action: 'repair_counts' } });
    expect(await repair.json()).toEqual({ success: true });
    const after = await stats();
    expect(after.click_proof).toMatchObject({ ok: true, links: 1, drift: [] });
    expect(after.recent_urls[0]).toMatchObject({ short_code: 'link1', click_count: 2 });
    const log: AdminLogResponse = await (await call('/api/admin?action=log', { headers })).json();
    expect(log.entries[0]).toMatchObject({ action: 'repair_counts', before: { ok: false, drift } });
  });

  it('returns 403 for other members', async () => {
    const { headers } = await makePerson();
    expect((await call('/api/admin', { headers, json: { action: 'repair_counts' } })).status).toBe(
      403,
    );
  });
});
