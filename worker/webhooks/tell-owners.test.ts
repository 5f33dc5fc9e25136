import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { ORIGIN } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';
import { EMBEDDED, mailsTo } from '#worker/testing/sign-in.ts';
import { tellOwners } from './tell-owners.ts';

describe('tellOwners', () => {
  it('mails the other owners if the mail about one webhook cannot be composed', async () => {
    const { email } = await makePerson();
    const ctx = createExecutionContext();
    const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await tellOwners(
      {
        env: { ...env, ...EMBEDDED },
        db: openDb(env.DB),
        appOrigin: ORIGIN,
        now: Date.now(),
        waitUntil: (work) => ctx.waitUntil(work),
      },
      [
        { email, url: 'no url', by: 'gone' },
        { email, url: 'https://hooks.example/', by: 'failing' },
      ],
    );
    await waitOnExecutionContext(ctx);
    expect(logged.mock.calls.flat()).toEqual([expect.stringContaining('webhook_notice_failed')]);
    logged.mockRestore();
    expect(await mailsTo(email)).toMatchObject([
      { text: expect.stringContaining('hooks.example') },
    ]);
  });
});
