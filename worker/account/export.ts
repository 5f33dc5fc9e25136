import { SETTING_NAMES } from '#contract/link-settings.ts';
import { shortUrlOf } from '#contract/link-key.ts';
import { KEEP_SESSIONS_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { listSessions } from '#worker/auth/sessions/own-sessions.ts';
import type { AccountExport, ExportedLink } from '#contract/account.ts';
import { toApiKey } from '#worker/api-keys/manage-keys.ts';
import { publicSlug } from '#worker/blog/drafts.ts';
import type { Db } from '#worker/db/client.ts';
import { plainExternalId } from '#worker/links/read/external-ids.ts';
import { HISTORY, showByColumn } from '#worker/links/settings/link-settings.ts';
import { subscriptionAt } from '#worker/plans/subscription.ts';
import { toWebhook } from '#worker/events/webhook-json.ts';
import { readAccountData, readAllLinks, type ExportableLink } from './store.ts';

const timestamp = (ms: number): string => new Date(ms).toISOString();
const optionalTimestamp = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : timestamp(ms);

/**
 * Returns everything stored under a user's id and email (SECURITY.md T34). `shortOrigin` is the
 * origin of short URLs.
 */
export async function exportAccount(
  db: Db,
  user: { id: string; email: string },
  hash: string | null,
  shortOrigin: string,
  now: number,
): Promise<AccountExport> {
  const {
    profile,
    subscription,
    account,
    posts,
    standing,
    keys,
    tags,
    views,
    presets,
    endpoints,
    templates,
    weeklyMail,
  } = await readAccountData(db, user.id, hash);
  return {
    exported_at: timestamp(now),
    profile: {
      id: user.id,
      email: user.email,
      role: profile?.role ?? 'user',
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
          },
    sessions: (
      await listSessions(db, { id: user.id, sessionId: '' }, KEEP_SESSIONS_DAYS * DAY_MS, now)
    ).map(({ id: _id, current: _current, ...session }) => session),
    subscription: subscription === undefined ? null : subscriptionAt(subscription, now),
    address_record:
      standing === undefined ? null : { demoted_at: optionalTimestamp(standing.demoted_at) },
    links: (await readAllLinks(db, user.id)).map((link) => toExportedLink(link, shortOrigin)),
    tags,
    qr_presets: presets.map(({ name, style, logo, is_default }) => ({
      name,
      style,
      logo,
      isDefault: is_default,
    })),
    utm_templates: templates,
    views: views.map(({ name, filters }) => ({ name, filters: JSON.parse(filters) })),
    posts: posts.map(
      ({ title, slug, content, published, created_at, updated_at, published_at }) => ({
        title,
        slug: publicSlug(slug),
        content,
        published,
        created_at: timestamp(created_at),
        updated_at: timestamp(updated_at),
        published_at: optionalTimestamp(published_at),
      }),
    ),
    api_keys: keys.map((key) => toApiKey(key, now)),
    webhooks: endpoints.map((endpoint) => toWebhook(endpoint, now)),
    weekly_mail: weeklyMail === undefined ? null : { since: timestamp(weeklyMail.since) },
  };
}

export function toExportedLink(
  { link, settings, totals, tags, history, earlierCodes }: ExportableLink,
  shortOrigin: string,
): ExportedLink {
  return {
    short_code: link.code,
    earlier_codes: earlierCodes,
    short_url: shortUrlOf(shortOrigin, link.code),
    long_url: link.target,
    external_id: plainExternalId(link.external_id),
    status: link.status,
    status_reason: link.disabled_reason,
    created_at: timestamp(link.created_at),
    ...showByColumn(settings, SETTING_NAMES),
    tags,
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
