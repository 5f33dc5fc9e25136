import { env } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { domain_transfers } from '#worker/db/schema-domains.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { admin_claims } from '#worker/db/schema-system.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { appCode } from '#worker/testing/app-code.ts';
import { call } from '#worker/testing/call.ts';
import { askFactors, beginSignIn, signInWithApp } from '#worker/testing/second-factor.ts';
import {
  EMBEDDED,
  linkIn,
  mailsTo,
  pressLink,
  signInEmbedded,
  tab,
} from '#worker/testing/sign-in.ts';
import { makePerson } from '#worker/testing/make.ts';
import { readLinkIdMark } from './copies.ts';
import { raiseLinkIds, reconcilePlatformCopy } from './reconcile-edge.ts';

const db = openDb(env.DB);
const statusOf = async (sent: Promise<Response>): Promise<number> => (await sent).status;
const mailAbout = async (email: string, subject: RegExp) =>
  (await mailsTo(email)).find((mail) => subject.test(mail.subject));

it('[T50] what had ended before the platform put the database back stays ended', async () => {
  const [member, other] = [await signInWithApp(), await signInEmbedded()];
  const waiting = await beginSignIn(member);
  await askFactors('/reset', waiting.headers, {});
  await tab().auth.resetPasswordForEmail(other.email);
  const link = await mailAbout(other.email, /password/);
  const stop = linkIn(await mailAbout(member.email, /asked to/)).token_hash;
  const expires_at = Date.now() + 60_000;
  await db.insert(admin_claims).values({ token_hash: hashToken('x'), expires_at });
  await env.DB.prepare("INSERT INTO domain_transfers VALUES ('d1', ?1, ?2, 1, ?3)")
    .bind(other.id, member.id, expires_at)
    .run();
  const me = () => statusOf(call('/api/me', { headers: member.headers }, EMBEDDED));
  expect(await me()).toBe(200);

  await reconcilePlatformCopy(env, { reopen: false }, Date.now());

  expect(await me()).toBe(401);
  const code = appCode(member.secret);
  const finished = askFactors(`/${member.factorId}/verify`, waiting.headers, { code });
  expect(await statusOf(finished)).toBe(403);
  expect(await statusOf(pressLink(link))).toBe(403);
  expect(await statusOf(askFactors('/reset/stop', {}, { token: stop }))).toBe(403);
  expect(await db.$count(admin_claims)).toBe(0);
  expect(await db.$count(domain_transfers)).toBe(0);
});

it('a restored link with two codes follows the newer of their records', async () => {
  const { headers } = await makePerson();
  const shorten = { json: { longUrl: 'https://example.org/', customCode: 'a-code' }, headers };
  expect((await call('/api/shorten', shorten)).status).toBe(201);
  const rename = { method: 'PATCH', json: { customCode: 'b-code' }, headers };
  expect((await call('/api/links/a-code', rename)).status).toBe(200);
  const link = env.DB.prepare("SELECT id, status, version FROM links WHERE code = 'b-code'");
  const i = await link.first<number>('id');
  // The link was stopped after the copy, and KV has that for one of the codes.
  const stale = { v: 7, i, s: 'a', u: 'https://example.org/', e: 0 };
  await env.LINKS.put('a-code', JSON.stringify(stale));
  await env.LINKS.put('b-code', JSON.stringify({ ...stale, v: 8, s: 'd', u: '' }));
  // A link that the copy has as deleted stays deleted.
  const ended = { json: { longUrl: 'https://example.org/', customCode: 'd-code' }, headers };
  expect((await call('/api/shorten', ended)).status).toBe(201);
  await env.DB.exec("UPDATE links SET status = 'deleted' WHERE code = 'd-code'");
  const deleted = env.DB.prepare("SELECT id, status FROM links WHERE code = 'd-code'");
  const record = { ...stale, i: await deleted.first('id'), v: 8, s: 'd', u: '' };
  await env.LINKS.put('d-code', JSON.stringify(record));
  // A record of another link that had the code after the copy stops nothing.
  const again = { json: { longUrl: 'https://example.org/', customCode: 'c-code' }, headers };
  expect((await call('/api/shorten', again)).status).toBe(201);
  await env.LINKS.put('c-code', JSON.stringify({ ...stale, v: 8, s: 'd', u: '' }));

  const reconciled = await reconcilePlatformCopy(env, { reopen: false }, Date.now());

  expect(reconciled).toMatchObject({ changed: 3, stopped: 1 });
  expect(await deleted.first('status')).toBe('deleted');
  expect(await link.first()).toEqual({ id: i, status: 'disabled', version: 9 });
});

it('a new link has a higher id than every record in KV, and a tombstone its version', async () => {
  await raiseLinkIds(env, 0);
  const id = 50_000_000;
  const record = { v: 7, i: id, s: 'a', u: 'https://example.org/', e: 0 };
  await env.LINKS.put('only-kv', JSON.stringify(record));
  // The replaced database had the code, with an older version than KV.
  await env.DB.prepare(
    'CREATE TABLE restore_codes (code TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL) WITHOUT ROWID',
  ).run();
  await env.DB.prepare("INSERT INTO restore_codes VALUES ('only-kv', 3)").run();
  // KV may answer with a page that has no keys, although others follow.
  let pages = 0;
  const LINKS = withMethods(env.LINKS, {
    list: async (options?: KVNamespaceListOptions) =>
      options?.cursor || pages++ > 0
        ? env.LINKS.list({ ...options, cursor: null })
        : { keys: [], list_complete: false, cursor: 'next', cacheStatus: null },
  });
  const settings = { ...env, LINKS };
  expect(await reconcilePlatformCopy(settings, { reopen: false }, Date.now())).toMatchObject({
    lost: 1,
  });
  const lost = await env.DB.prepare("SELECT id, version FROM links WHERE code = 'only-kv'").first<{
    id: number;
    version: number;
  }>();
  expect(lost?.version).toBe(8);
  expect(lost?.id).toBeGreaterThan(id);
  expect(await readLinkIdMark(env)).toBeGreaterThan(id);
});
