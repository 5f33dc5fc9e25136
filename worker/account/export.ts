import { asc, eq, sql } from 'drizzle-orm';
import { DEFAULT_DOMAIN } from '#contract/codes/domain-key.ts';
import { cardPicturePath } from '#contract/links/link-card.ts';
import { SETTING_NAMES } from '#contract/links/link-settings.ts';
import type { ShortOrigins } from '#worker/http/origins.ts';
import { domainNameOf, shortUrlOf } from '#worker/http/short-url.ts';
import { KEEP_SESSIONS_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { listPasskeys, toPasskey } from '#worker/auth/passkeys/passkey-store.ts';
import { listSessions } from '#worker/auth/sessions/own-sessions.ts';
import type { AccountExport, ExportedLink } from '#contract/account/account.ts';
import { toApiKey } from '#worker/api-keys/manage-keys.ts';
import { readSharedReports } from '#worker/links/share/manage-shared.ts';
import { publicSlug } from '#worker/blog/drafts.ts';
import type { Db } from '#worker/db/client.ts';
import { weekly_mails } from '#worker/db/schema-accounts.ts';
import { api_keys, webhook_endpoints } from '#worker/db/schema-api.ts';
import { auth_recovery_codes, auth_users } from '#worker/db/schema-auth.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { link_views, qr_presets, utm_templates } from '#worker/db/schema-presets.ts';
import { tags } from '#worker/db/schema-tags.ts';
import { address_standing, subscriptions, users } from '#worker/db/schema-users.ts';
import { plainExternalId } from '#worker/links/read/external-ids.ts';
import { showHealth } from '#worker/links/read/show-health.ts';
import { HISTORY, showByColumn } from '#worker/links/settings/link-settings.ts';
import { subscriptionAt } from '#worker/plans/subscription.ts';
import { toWebhook } from '#worker/events/webhook-json.ts';
import { exportDomains } from './export-domains.ts';
import { readAllLinks, type ExportableLink } from './store.ts';

const timestamp = (ms: number): string => new Date(ms).toISOString();
const optionalTimestamp = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : timestamp(ms);

/**
 * Reads everything stored about a user except their links and sessions. `hash` is their
 * `addressHash`.
 */
const readAccountData = (db: Db, userId: string, hash: string | null) =>
  db.batch([
    db.select().from(users).where(eq(users.id, userId)),
    db.select().from(subscriptions).where(eq(subscriptions.user_id, userId)),
    db
      .select({
        email: auth_users.email,
        email_confirmed_at: auth_users.email_confirmed_at,
        user_metadata: auth_users.user_metadata,
        created_at: auth_users.created_at,
        last_sign_in_at: auth_users.last_sign_in_at,
        second_factor_since: auth_users.totp_confirmed_at,
        recovery_codes: sql<number>`(select count(*) from ${auth_recovery_codes} where user_id = ${auth_users.id})`,
      })
      .from(auth_users)
      .where(eq(auth_users.id, userId)),
    db
      .select({
        title: posts.title,
        slug: posts.slug,
        content: posts.content,
        excerpt: posts.excerpt,
        author: posts.author,
        tags: posts.tags,
        published: posts.published,
        created_at: posts.created_at,
        updated_at: posts.updated_at,
        published_at: posts.published_at,
      })
      .from(posts)
      .where(eq(posts.author_id, userId))
      .orderBy(asc(posts.id)),
    db
      .select({ demoted_at: address_standing.demoted_at })
      .from(address_standing)
      .where(eq(address_standing.address_hash, hash ?? '')),
    db
      .select()
      .from(api_keys)
      .where(eq(api_keys.user_id, userId))
      .orderBy(asc(api_keys.created_at)),
    db
      .select({ name: tags.name, color: tags.color })
      .from(tags)
      .where(eq(tags.user_id, userId))
      .orderBy(asc(tags.id)),
    db
      .select({ name: link_views.name, filters: link_views.filters })
      .from(link_views)
      .where(eq(link_views.user_id, userId))
      .orderBy(asc(link_views.id)),
    db.select().from(qr_presets).where(eq(qr_presets.user_id, userId)).orderBy(asc(qr_presets.id)),
    db
      .select()
      .from(webhook_endpoints)
      .where(eq(webhook_endpoints.user_id, userId))
      .orderBy(asc(webhook_endpoints.created_at)),
    db
      .select({
        name: utm_templates.name,
        source: utm_templates.source,
        medium: utm_templates.medium,
        campaign: utm_templates.campaign,
        term: utm_templates.term,
        content: utm_templates.content,
      })
      .from(utm_templates)
      .where(eq(utm_templates.user_id, userId))
      .orderBy(asc(utm_templates.id)),
    db.select().from(weekly_mails).where(eq(weekly_mails.user_id, userId)),
  ]);

/**
 * Returns everything stored under a user's id and email (SECURITY.md T34). `origins` are
 * those of short URLs.
 */
export async function exportAccount(
  db: Db,
  user: { id: string; email: string },
  hash: string | null,
  origins: ShortOrigins,
  now: number,
): Promise<AccountExport> {
  const [
    [profile],
    [subscription],
    [account],
    ownPosts,
    [standing],
    keys,
    ownTags,
    views,
    presets,
    endpoints,
    templates,
    [weeklyMail],
  ] = await readAccountData(db, user.id, hash);
  return {
    exported_at: timestamp(now),
    profile: {
      id: user.id,
      email: user.email,
      role: profile?.role ?? 'user',
      default_domain: origins.domains.get(profile?.default_domain ?? DEFAULT_DOMAIN) ?? '',
      created_at: optionalTimestamp(profile?.created_at),
      last_seen_at: optionalTimestamp(profile?.last_seen_at),
    },
    sign_in:
      account === undefined
        ? null
        : {
            email: account.email,
            email_confirmed_at: optionalTimestamp(account.email_confirmed_at),
            created_at: timestamp(account.created_at),
            last_sign_in_at: optionalTimestamp(account.last_sign_in_at),
            user_metadata: JSON.parse(account.user_metadata),
            second_factor:
              account.second_factor_since === null
                ? null
                : {
                    since: timestamp(account.second_factor_since),
                    recovery_codes: account.recovery_codes,
                  },
          },
    sessions: (
      await listSessions(db, { id: user.id, sessionId: '' }, KEEP_SESSIONS_DAYS * DAY_MS, now)
    ).map(({ id: _id, current: _current, ...session }) => session),
    passkeys: (await listPasskeys(db, user.id)).map((row) => {
      const { id: _id, ...passkey } = toPasskey(row);
      return passkey;
    }),
    subscription: subscription === undefined ? null : subscriptionAt(subscription, now),
    address_record:
      standing === undefined ? null : { demoted_at: optionalTimestamp(standing.demoted_at) },
    ...(await exportDomains(db, user.id)),
    links: (await readAllLinks(db, user.id)).map((link) => toExportedLink(link, origins)),
    tags: ownTags,
    qr_presets: presets.map(({ name, style, logo, is_default }) => ({
      name,
      style,
      logo,
      isDefault: is_default,
    })),
    utm_templates: templates,
    views: views.map(({ name, filters }) => ({ name, filters: JSON.parse(filters) })),
    posts: ownPosts.map((post) =>
      Object.assign(post, {
        slug: publicSlug(post.slug),
        created_at: timestamp(post.created_at),
        updated_at: timestamp(post.updated_at),
        published_at: optionalTimestamp(post.published_at),
      }),
    ),
    api_keys: keys.map((key) => toApiKey(key, now)),
    webhooks: endpoints.map((endpoint) => toWebhook(endpoint, now)),
    shared_reports: await readSharedReports(db, user.id, now),
    weekly_mail: weeklyMail === undefined ? null : { since: timestamp(weeklyMail.since) },
  };
}

export function toExportedLink(
  { link, settings, totals, tags: ownTags, history, earlierCodes, health, card }: ExportableLink,
  origins: ShortOrigins,
): ExportedLink {
  return {
    short_code: link.code,
    domain: domainNameOf(origins, link.code),
    earlier_codes: earlierCodes,
    short_url: shortUrlOf(origins, link.code),
    long_url: link.target,
    external_id: plainExternalId(link.external_id),
    status: link.status,
    status_reason: link.disabled_reason,
    limit_used: link.limit_used,
    created_at: timestamp(link.created_at),
    ...showByColumn(settings, SETTING_NAMES),
    health: showHealth(health, link.target),
    tags: ownTags,
    card:
      card === null
        ? null
        : { ...card, image: card.image === '' ? null : cardPicturePath(card.image) },
    history: history.map(({ until, code, target, status, tags: formerTags, ...former }) => ({
      until: timestamp(until),
      short_code: code,
      long_url: target,
      status,
      ...showByColumn(former, HISTORY),
      tags: formerTags,
    })),
    clicks: {
      human: totals?.human ?? 0,
      visitors: totals?.visitors ?? 0,
      bot: totals?.bot ?? 0,
      prefetch: totals?.prefetch ?? 0,
      first_at: optionalTimestamp(totals?.first_at),
      last_at: optionalTimestamp(totals?.last_at),
    },
    imported:
      link.imported_from === null
        ? null
        : { from: link.imported_from, clicks: link.imported_clicks },
  };
}
