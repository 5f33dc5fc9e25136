import { env } from 'cloudflare:test';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { auth_identities, auth_users } from '#worker/db/schema-auth.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { users } from '#worker/db/schema-users.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';
import { browser, person, type Claims, type Provider } from '#worker/testing/oidc-browser.ts';
import { ISSUER, startProvider, WITH_PROVIDER } from '#worker/testing/oidc-provider.ts';
import { mailsTo, pressLink, signInEmbedded } from '#worker/testing/sign-in.ts';
import { forgetProviders } from './provider.ts';

const db = openDb(env.DB);
const GROUP = { OIDC_ADMIN_GROUP: 'hop-admins' };

/** Signs in with these groups. Returns the id and the role that the next request has. */
async function visit(provider: Provider, ann: Claims, groups: unknown, settings = GROUP) {
  const { data } = await browser(settings).signIn(provider, { ...ann, groups });
  const headers = { Authorization: `Bearer ${data.session?.access_token}` };
  const answer = await call('/api/me', { headers }, { ...WITH_PROVIDER, ...settings });
  const me = await answer.json<{ role: string }>();
  return { id: data.user?.id ?? '', headers, role: me.role };
}
const actionsAbout = async (id: string) => {
  const rows = await db
    .select()
    .from(admin_log)
    .where(eq(admin_log.subject, `user:${id}`));
  return rows.map(({ action }) => action);
};

beforeEach(async () => {
  forgetProviders();
  await db.run(sql`update users set role = 'user'`);
});
afterEach(() => vi.restoreAllMocks());

describe('the group of administrators', () => {
  it('makes an administrator, and leaving it ends that at the next sign-in', async () => {
    const provider = await startProvider();
    await makePerson({ role: 'admin' });
    const ann = person();
    const joined = await visit(provider, ann, ['staff', 'hop-admins']);
    expect(joined.role).toBe('admin');
    expect((await visit(provider, ann, ['staff'])).role).toBe('user');
    expect(await actionsAbout(joined.id)).toEqual(['grant_admin', 'leave_admin_group']);
  });

  it('takes the groups from the userinfo if the token has none', async () => {
    const ann = person();
    const provider = await startProvider({ userinfo: { ...ann, groups: ['hop-admins'] } });
    expect((await visit(provider, ann, undefined)).role).toBe('admin');
  });

  it.each([
    ['a text that contains the name', 'hop-admins'],
    ['another case', ['Hop-Admins']],
    ['no groups', undefined],
  ])('[A22] makes nobody an administrator by %s', async (_, groups) => {
    const provider = await startProvider();
    expect((await visit(provider, person(), groups)).role).toBe('user');
  });

  it('[A22] makes nobody an administrator without the setting', async () => {
    const provider = await startProvider();
    const off = { OIDC_ADMIN_GROUP: '' };
    expect((await visit(provider, person(), ['', 'hop-admins'], off)).role).toBe('user');
  });

  it('needs no second factor of ours, because the provider decides', async () => {
    const required = { ...GROUP, ADMIN_REQUIRES_2FA: 'on' };
    const { headers } = await visit(await startProvider(), person(), ['hop-admins'], required);
    const system = await call('/api/admin/system', { headers }, { ...WITH_PROVIDER, ...required });
    expect(system.status).toBe(200);
  });

  it('keeps the last administrator until there is another one', async () => {
    const provider = await startProvider();
    const ann = person();
    expect((await visit(provider, ann, ['hop-admins'])).role).toBe('admin');
    expect((await visit(provider, ann, [])).role).toBe('admin');
    await makePerson({ role: 'admin' });
    expect((await visit(provider, ann, [])).role).toBe('user');
  });

  it('[A22] the group does not overrule an administrator who has removed the role', async () => {
    const provider = await startProvider();
    const boss = await visit(provider, person(), ['hop-admins']);
    const ann = person();
    const { id } = await visit(provider, ann, ['hop-admins']);
    const json = { action: 'set_role', user_id: id, role: 'user' };
    const settings = { ...WITH_PROVIDER, ...GROUP };
    const demoted = await call('/api/admin', { json, headers: boss.headers }, settings);
    expect(demoted.status).toBe(200);
    expect((await visit(provider, ann, ['hop-admins'])).role).toBe('user');
  });

  it('stays connected while it makes an administrator', async () => {
    const provider = await startProvider();
    const { id, headers } = await visit(provider, person(), ['hop-admins']);
    await db.update(auth_users).set({ password_hash: 'x' }).where(eq(auth_users.id, id));
    const path = '/api/auth/v1/user/identities';
    const settings = { ...WITH_PROVIDER, ...GROUP };
    const shown = await call(path, { headers }, settings);
    expect(await shown.json()).toMatchObject({ can_disconnect: false });
    const gone = await call(path, { method: 'DELETE', headers }, settings);
    expect(gone.status).toBe(409);
    expect(await db.select().from(users).where(eq(users.id, id))).toMatchObject([
      { role: 'admin' },
    ]);
  });

  it("[A22] the role from a group ends when a notice's link ends the connection", async () => {
    const provider = await startProvider();
    await makePerson({ role: 'admin' });
    const owner = await signInEmbedded();
    const insider = { ...person(), groups: ['hop-admins'] };
    await db.insert(auth_identities).values({
      issuer: ISSUER,
      subject: insider.sub,
      user_id: owner.id,
      email: insider.email,
      linked_at: 1,
      used_at: 1,
    });
    const thief = await visit(provider, insider, ['hop-admins']);
    expect(thief).toMatchObject({ id: owner.id, role: 'admin' });
    const change = { password: 'of the thief', current_password: owner.password };
    const settings = { ...WITH_PROVIDER, ...GROUP };
    const init = { method: 'PUT', json: change, headers: owner.headers };
    expect((await call('/api/auth/v1/user', init, settings)).status).toBe(200);
    const answer = await pressLink((await mailsTo(owner.email))[0]);
    expect(answer.status).toBe(200);
    const { access_token } = await answer.json<{ access_token: string }>();
    const headers = { Authorization: `Bearer ${access_token}` };
    const me = await call('/api/me', { headers }, settings);
    expect(await me.json()).toMatchObject({ role: 'user' });
    expect(await actionsAbout(owner.id)).toEqual(['grant_admin', 'leave_admin_group']);
    expect((await call('/api/me', { headers: thief.headers }, settings)).status).toBe(401);
  });
});
