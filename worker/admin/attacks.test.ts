import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { AdminLogResponse } from '#contract/moderation/admin.ts';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';

const LISTED = 'boss@example.com';
const DEPLOYED = { ...EMBEDDED, ADMIN_EMAILS: LISTED };

type SignedIn = Awaited<ReturnType<typeof signInEmbedded>>;

const roleOf = async ({ headers }: SignedIn): Promise<unknown> =>
  (await (await call('/api/me', { headers }, DEPLOYED)).json<{ role?: unknown }>()).role;

async function makeAdmin(): Promise<SignedIn> {
  const admin = await signInEmbedded();
  expect(await roleOf(admin)).toBe('user');
  await env.DB.prepare("UPDATE users SET role = 'admin' WHERE id = ?").bind(admin.id).run();
  return admin;
}

describe('attacks on ADMIN_EMAILS', () => {
  it('[A4] a demoted administrator stays a user after an account deletion', async () => {
    const admin = await makeAdmin();
    const boss = await signInEmbedded({ email: LISTED });
    expect(await roleOf(boss)).toBe('admin');
    const demotion = { action: 'set_role', user_id: boss.id, role: 'user' };
    expect(
      (await call('/api/admin', { json: demotion, headers: admin.headers }, DEPLOYED)).status,
    ).toBe(200);
    const deletion = {
      confirm: 'delete my account',
      links: 'remove',
      currentPassword: boss.password,
    };
    const deleted = await call(
      '/api/account',
      { method: 'DELETE', json: deletion, headers: boss.headers },
      DEPLOYED,
    );
    expect(deleted.status).toBe(200);

    const returned = await signInEmbedded({ email: LISTED });
    expect(returned.id).not.toBe(boss.id);
    expect(await roleOf(returned)).toBe('user');
    expect(
      (await call('/api/admin?action=stats', { headers: returned.headers }, DEPLOYED)).status,
    ).toBe(403);
  });

  it('[A4] records a grant by ADMIN_EMAILS in the audit log', async () => {
    const admin = await makeAdmin();
    const listed = await signInEmbedded();
    const answer = await call(
      '/api/me',
      { headers: listed.headers },
      { ...EMBEDDED, ADMIN_EMAILS: listed.email },
    );
    expect(await answer.json()).toMatchObject({ role: 'admin' });
    const log = await call(
      `/api/admin?action=log&q=${listed.id}`,
      { headers: admin.headers },
      DEPLOYED,
    );
    expect((await log.json<AdminLogResponse>()).entries).toMatchObject([
      {
        action: 'grant_admin',
        subject: `user:${listed.id}`,
        adminId: 'system',
        reason: expect.stringContaining('ADMIN_EMAILS'),
      },
    ]);
  });
});
