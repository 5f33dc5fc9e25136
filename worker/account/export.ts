import type { AccountExport, ExportedLink } from '#contract/account.ts';
import { shownSlug } from '#worker/blog/stored-slug.ts';
import type { Db } from '#worker/db/client.ts';
import { subscriptionAt } from '#worker/plans/subscription.ts';
import { csvText } from './csv.ts';
import { readLinks, readPerson } from './store.ts';

const time = (ms: number): string => new Date(ms).toISOString();
const maybe = (ms: number | null | undefined): string | null => (ms === null || ms === undefined ? null : time(ms));

/** Everything the product keeps under this person's id and address (threat 34). `shortOrigin` makes the short URLs whole. */
export async function exportAccount(
  db: Db,
  person: { id: string; email: string },
  hash: string | null,
  shortOrigin: string,
  now: number,
): Promise<AccountExport> {
  const { profile, subscription, account, posts, standing } = await readPerson(db, person.id, hash);
  return {
    exported_at: time(now),
    profile: {
      id: person.id,
      email: person.email,
      role: profile?.role ?? 'user',
      created_at: maybe(profile?.created_at),
      last_seen_at: maybe(profile?.last_seen_at),
    },
    sign_in:
      account === undefined
        ? null
        : {
            email: account.email,
            email_confirmed_at: maybe(account.email_confirmed_at),
            created_at: time(account.created_at),
            last_sign_in_at: maybe(account.last_sign_in_at),
            user_metadata: JSON.parse(account.user_metadata),
          },
    subscription: subscription === undefined ? null : subscriptionAt(subscription, now),
    address_record: standing === undefined ? null : { demoted_at: maybe(standing.demoted_at) },
    links: await exportLinks(db, person.id, shortOrigin),
    posts: posts.map(({ title, slug, content, published, created_at, updated_at, published_at }) => ({
      title,
      slug: shownSlug(slug),
      content,
      published,
      created_at: time(created_at),
      updated_at: time(updated_at),
      published_at: maybe(published_at),
    })),
  };
}

/** The person's links as a table for spreadsheets. */
export async function exportLinksCsv(db: Db, userId: string, shortOrigin: string): Promise<string> {
  const rows = await exportLinks(db, userId, shortOrigin);
  const header = [
    'short_url',
    'long_url',
    'status',
    'created_at',
    'expires_at',
    'clicks',
    'unique_visitors',
    'bots',
    'prefetches',
  ];
  return csvText([
    header,
    ...rows.map((row) => [
      row.short_url,
      row.long_url,
      row.status,
      row.created_at,
      row.expires_at ?? '',
      row.clicks.human,
      row.clicks.visitors,
      row.clicks.bot,
      row.clicks.prefetch,
    ]),
  ]);
}

async function exportLinks(db: Db, userId: string, shortOrigin: string): Promise<ExportedLink[]> {
  const rows = await readLinks(db, userId);
  return rows.map(({ link, totals }) => ({
    short_code: link.code,
    short_url: `${shortOrigin}/${link.code}`,
    long_url: link.target,
    status: link.status,
    status_reason: link.disabled_reason,
    created_at: time(link.created_at),
    expires_at: maybe(link.expires_at),
    clicks: {
      human: totals?.human ?? 0,
      visitors: totals?.visitors ?? 0,
      bot: totals?.bot ?? 0,
      prefetch: totals?.prefetch ?? 0,
      first_at: maybe(totals?.first_at),
      last_at: maybe(totals?.last_at),
    },
  }));
}
