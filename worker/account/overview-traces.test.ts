import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { AccountExport } from '#contract/account/account.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { rollUpAccounts } from '#worker/clicks/accounts/roll-up-accounts.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { findInDatabase } from '#worker/testing/scan.ts';

let links = 0;

async function makeReader() {
  const person = await makePerson();
  const id = ++links;
  const now = Date.now();
  await makeLinks([id], person.id);
  await foldWindows(env.DB, [makeWindow([makeClick(id, { t: now })])], now);
  await call('/api/analytics', { headers: person.headers });
  await env.DB.prepare('INSERT INTO weekly_mails (user_id, since, sent_week) VALUES (?, ?, 0)')
    .bind(person.id, now)
    .run();
  return person;
}

describe('deleteAccount', () => {
  it.each(['remove', 'keep'])(
    '[T34] deleting leaves nothing of account days and weekly mail, when links are to %s',
    async (choice) => {
      const { id, headers } = await makeReader();
      const traces = new RegExp(id);
      expect((await findInDatabase(traces)).map((place) => place.split(':')[0])).toEqual(
        expect.arrayContaining([
          'account_days.user_id',
          'rolled_up_links.user_id',
          'weekly_mails.user_id',
        ]),
      );
      const json = { confirm: 'delete my account', links: choice };
      expect((await call('/api/account', { method: 'DELETE', json, headers })).status).toBe(200);
      expect(await findInDatabase(traces)).toEqual([]);
      await rollUpAccounts(env, Date.now(), UNBOUNDED);
      expect(await findInDatabase(traces)).toEqual([]);
      expect(await env.DB.prepare('SELECT count(*) AS n FROM account_days').first('n')).toBe(0);
    },
  );
});

describe('exportAccount', () => {
  it('[T34] says since when the member gets the weekly mail', async () => {
    const { headers } = await makeReader();
    const exported = await (await call('/api/account/export', { headers })).json<AccountExport>();
    expect(Date.now() - Date.parse(exported.weekly_mail?.since ?? '')).toBeLessThan(60_000);
  });
});
