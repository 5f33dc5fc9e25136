import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { PLAIN_QR } from '#contract/presets/qr-presets.ts';
import { NO_DOMAINS } from '#worker/db/domain-names.ts';
import { newAccount } from '#worker/auth/service/store.ts';
import { openDb } from '#worker/db/client.ts';
import { weekly_mails } from '#worker/db/schema-accounts.ts';
import { api_keys, webhook_endpoints } from '#worker/db/schema-api.ts';
import {
  auth_passkeys,
  auth_recovery_codes,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { link_cards } from '#worker/db/schema-cards.ts';
import { qr_presets, utm_templates } from '#worker/db/schema-presets.ts';
import { posts } from '#worker/db/schema-blog.ts';
import {
  domain_claims,
  domain_hosts,
  domain_transfers,
  domains,
} from '#worker/db/schema-domains.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { links } from '#worker/db/schema-links.ts';
import { link_tags, tags } from '#worker/db/schema-tags.ts';
import { address_standing, users } from '#worker/db/schema-users.ts';
import { newDomainId } from '#worker/domains/domain-id.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makePerson } from '#worker/testing/make.ts';
import { streamLinks } from './export-links.ts';
import { exportAccount } from './export.ts';

const db = openDb(env.DB);
const NOW = 1_000_000;
const at = (ms: number): string => new Date(ms).toISOString();

const NAME = { name: 'Ada' };
const TEMPLATE = {
  name: 'Spring',
  source: 'a source',
  medium: 'a medium',
  campaign: 'a campaign',
  term: 'a term',
  content: 'a content',
};

/** A member whose rows have times that all differ. */
async function makeMember() {
  const { id, email } = await makePerson({ plan: 'premium', now: 1 });
  const own = { user_id: id };
  const hook = { ...own, description: '', events: 'link.created', salt: 's', failing_since: 25 };
  const domainId = newDomainId(cryptoRandom);
  const owner = await makePerson();
  const offeredId = await makeDomain(`x.${id}.example`, { owner: owner.id });
  const link = { ...own, target: 'https://example.com/', target_host: 'example.com', version: 1 };
  await db.batch([
    db.update(users).set({ last_seen_at: 3, default_domain: domainId }).where(eq(users.id, id)),
    db.insert(auth_users).values({
      ...newAccount({ id, email, passwordHash: 'h', metadata: NAME, confirmed: true, now: 4 }),
      email_confirmed_at: 5,
      last_sign_in_at: 6,
      proven_at: 7,
      totp_confirmed_at: 65,
    }),
    db.insert(auth_recovery_codes).values([
      { ...own, code_hash: 'a' },
      { ...own, code_hash: 'b' },
    ]),
    db.insert(qr_presets).values([
      { ...own, name: 'Plain', style: PLAIN_QR, logo: '', created_at: 66 },
      { ...own, name: 'Logo', style: PLAIN_QR, logo: 'data:', is_default: true, created_at: 67 },
    ]),
    db.insert(utm_templates).values({ ...own, ...TEMPLATE, created_at: 68 }),
    db.insert(auth_sessions).values([
      { ...own, id: `${id}-1`, refreshed_at: 10, amr: '[]', created_at: 8, browser: 'Firefox' },
      { ...own, id: `${id}-2`, refreshed_at: 11, amr: '[]', created_at: 9, browser: 'Chrome' },
    ]),
    db.insert(auth_passkeys).values({
      ...own,
      id: `${id}-p`,
      credential_id: `credential of ${id}`,
      public_key: '{}',
      counter: 3,
      transports: '[]',
      name: 'Laptop',
      kind: 'device',
      created_at: 12,
    }),
    db.insert(address_standing).values({ address_hash: `hash of ${id}`, demoted_at: 12 }),
    db.insert(posts).values([
      {
        slug: `a-${id}`,
        title: 'A',
        content: 'a',
        author_id: id,
        published: true,
        created_at: 13,
        updated_at: 14,
        published_at: 15,
      },
      {
        slug: `b-${id}`,
        title: 'B',
        content: 'b',
        author_id: id,
        published: false,
        created_at: 16,
        updated_at: 17,
      },
    ]),
    db.insert(domains).values([
      { id: domainId, owner_id: id, name: 'go.acme.example', created_at: 26 },
      {
        id: newDomainId(cryptoRandom),
        owner_id: id,
        name: 'deleted.acme.example',
        status: 'deleted',
        created_at: 27,
        root_url: 'https://acme.example/',
        not_found_url: 'https://acme.example/404',
        suspended_reason: 'Phishing.',
      },
    ]),
    db.insert(domain_hosts).values({
      host: `go.${id}.example`,
      domain_id: domainId,
      proven_at: 28,
      created_at: 29,
    }),
    db.insert(domain_claims).values([
      { host: 'new.acme.example', owner_id: id, created_at: 37, expires_at: 38 },
      { host: 'any.acme.example', owner_id: id, created_at: 39, expires_at: 40 },
    ]),
    db.insert(domain_transfers).values([
      { domain_id: domainId, from_id: id, to_id: 'somebody', created_at: 61, expires_at: 62 },
      { domain_id: offeredId, from_id: owner.id, to_id: id, created_at: 63, expires_at: 64 },
    ]),
    db.insert(weekly_mails).values({ ...own, since: 18, sent_week: 0 }),
    db.insert(api_keys).values([
      {
        ...own,
        id: `${id}-later`,
        name: 'A later key',
        scopes: 'links:read',
        prefix: 'hop_live_b',
        secret_hash: `${id}-b`,
        created_at: 20,
        expires_at: 21,
        last_used_at: 22,
      },
      {
        ...own,
        id: `${id}-first`,
        name: 'The first key',
        scopes: '',
        prefix: 'hop_live_a',
        secret_hash: `${id}-a`,
        created_at: 19,
        previous_hash: `${id}-p`,
        previous_until: NOW + 1,
      },
    ]),
    db.insert(webhook_endpoints).values([
      { ...hook, id: `${id}-hook`, url: 'https://hooks.example/', created_at: 23, disabled_at: 24 },
      { ...hook, id: `${id}-next`, url: 'https://any.example/', created_at: 24 },
    ]),
    db.insert(tags).values([
      { ...own, name: 'b', color: 'green', created_at: 1 },
      { ...own, name: 'A', color: 'red', created_at: 1 },
    ]),
    db.insert(links).values([
      {
        ...link,
        code: `l-${id}`,
        status: 'disabled',
        disabled_reason: 'Spam.',
        created_at: 30,
        updated_at: 31,
        expires_at: 32,
      },
      { ...link, code: `m-${id}`, created_at: 33, updated_at: 34, expires_at: NOW },
      { ...link, code: `n-${id}`, created_at: 35, updated_at: 36, expires_at: NOW + 1 },
    ]),
  ]);
  const [first] = await db.select().from(links).where(eq(links.user_id, id)).orderBy(links.id);
  const link_id = first?.id ?? 0;
  const ownTags = await db.select().from(tags).where(eq(tags.user_id, id));
  const former = { link_id, target: 'https://old.example/', tags: '[]', title: '', note: '' };
  await db.batch([
    db
      .update(links)
      .set({ external_id: 'z-\u001Forder-7', imported_from: 'bitly', imported_clicks: 9 })
      .where(eq(links.id, link_id)),
    db.insert(link_cards).values([
      { link_id, title: 'A card', description: 'Of a link', image: 'abc.png' },
      { link_id: link_id + 1, title: 'A card without a picture', description: '' },
    ]),
    db
      .insert(link_tags)
      .values(ownTags.map((tag) => ({ link_id, tag_id: tag.id, link_created_at: 30 }))),
    db.insert(link_totals).values({
      link_id,
      human: 1,
      visitors: 2,
      bot: 3,
      prefetch: 4,
      first_at: 40,
      last_at: 41,
    }),
    db.insert(link_changes).values([
      { ...former, at: 50, status: 'active', code: 'older', archived: false },
      { ...former, at: 51, status: 'disabled', code: 'newer', archived: false },
    ]),
  ]);
  return { id, email, domainId, giver: owner.email };
}

describe('the export of an account', () => {
  it('each time of an account is exported under its own name', async () => {
    const { domainId, giver, ...user } = await makeMember();
    const names = new Map([[domainId, 'go.acme.example']]);
    const exported = await exportAccount(
      db,
      user,
      `hash of ${user.id}`,
      { short: 'https://s.example', domains: names },
      NOW,
    );
    expect(exported).toMatchObject({
      exported_at: at(NOW),
      profile: {
        ...user,
        role: 'user',
        default_domain: 'go.acme.example',
        created_at: at(1),
        last_seen_at: at(3),
      },
      sign_in: {
        email_confirmed_at: at(5),
        created_at: at(4),
        last_sign_in_at: at(6),
        user_metadata: NAME,
        second_factor: { since: at(65), recovery_codes: 2 },
      },
      passkeys: [{ friendly_name: 'Laptop', kind: 'device', created_at: at(12) }],
      sessions: [
        { browser: 'Chrome', signedInAt: at(9), lastUsedAt: at(11) },
        { browser: 'Firefox', signedInAt: at(8), lastUsedAt: at(10) },
      ],
      address_record: { demoted_at: at(12) },
      posts: [
        { title: 'A', created_at: at(13), updated_at: at(14), published_at: at(15) },
        { title: 'B', created_at: at(16), updated_at: at(17), published_at: null },
      ],
      weekly_mail: { since: at(18) },
      domains: [
        { name: 'go.acme.example', status: 'active', created_at: at(26), proven_at: at(28) },
        {
          name: 'deleted.acme.example',
          status: 'deleted',
          created_at: at(27),
          proven_at: null,
          root_url: 'https://acme.example/',
          not_found_url: 'https://acme.example/404',
          suspended_reason: 'Phishing.',
        },
      ],
      domain_offers: [
        { name: 'go.acme.example', from: null, created_at: at(61), expires_at: at(62) },
        { name: `x.${user.id}.example`, from: giver, created_at: at(63), expires_at: at(64) },
      ],
      domain_claims: [
        { host: 'any.acme.example', created_at: at(39), expires_at: at(40) },
        { host: 'new.acme.example', created_at: at(37), expires_at: at(38) },
      ],
      api_keys: [
        {
          name: 'The first key',
          createdAt: at(19),
          previousSecretUntil: at(NOW + 1),
          lastUsedAt: null,
        },
        { name: 'A later key', createdAt: at(20), expiresAt: at(21), lastUsedAt: at(22) },
      ],
      webhooks: [
        { createdAt: at(23), disabled: { at: at(24) }, failingSince: at(25) },
        { createdAt: at(24), disabled: null },
      ],
      tags: [
        { name: 'b', color: 'green' },
        { name: 'A', color: 'red' },
      ],
    });
    expect(exported.utm_templates).toEqual([TEMPLATE]);
    expect(exported.qr_presets).toEqual([
      { name: 'Plain', style: PLAIN_QR, logo: '', isDefault: false },
      { name: 'Logo', style: PLAIN_QR, logo: 'data:', isDefault: true },
    ]);
    // The ids of rows stay inside.
    const lists = ['posts', 'domains', 'domain_claims', 'domain_offers'] as const;
    const members = lists.map((name) => [
      name,
      Object.keys(exported[name][0] ?? {})
        .toSorted()
        .join(' '),
    ]);
    expect(Object.fromEntries(members)).toEqual({
      posts: 'author content created_at excerpt published published_at slug tags title updated_at',
      domains: 'created_at name not_found_url proven_at root_url status suspended_reason',
      domain_claims: 'created_at expires_at host',
      domain_offers: 'created_at expires_at from name',
    });
    expect(exported.links[0]).toMatchObject({
      short_url: `https://s.example/l-${user.id}`,
      status: 'disabled',
      status_reason: 'Spam.',
      created_at: at(30),
      expires_at: at(32),
      tags: ['A', 'b'],
      history: [
        { until: at(50), short_code: 'older', status: 'active' },
        { until: at(51), short_code: 'newer', status: 'disabled' },
      ],
      clicks: { human: 1, visitors: 2, bot: 3, prefetch: 4, first_at: at(40), last_at: at(41) },
      external_id: 'order-7',
      imported: { from: 'bitly', clicks: 9 },
      card: { title: 'A card', description: 'Of a link', image: '/api/card-pictures/abc.png' },
    });
    expect(exported.links[1]?.card).toEqual({
      title: 'A card without a picture',
      description: '',
      image: null,
    });
  });

  it.each([
    ['json', '[\n]\n'],
    ['cloudflare', ''],
    ['nginx', '# Redirects of short links for nginx: include this file in a server block.\n'],
  ] as const)(
    'an account without links exports %s that other programs read',
    async (format, text) => {
      const options = { origins: { short: 'https://s.example', domains: NO_DOMAINS }, now: NOW };
      expect(await new Response(await streamLinks(db, 'nobody', format, options)).text()).toBe(
        text,
      );
    },
  );

  it('a map of redirects has the links that redirect in that millisecond', async () => {
    const { id } = await makeMember();
    const now = { origins: { short: 'https://s.example', domains: NO_DOMAINS }, now: NOW };
    const map = await new Response(await streamLinks(db, id, 'cloudflare', now)).text();
    expect(map).toBe(`https://s.example/n-${id},https://example.com/,302\n`);
  });
});
