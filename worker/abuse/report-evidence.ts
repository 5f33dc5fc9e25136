import { sql } from 'drizzle-orm';
import { cardPicturePath } from '#contract/links/link-card.ts';
import {
  EVIDENCE_MAX,
  HOST_LINKS_MAX,
  type ReportEvidence,
} from '#contract/moderation/report-evidence.ts';
import { listDecisions } from '#worker/audit/list-audit-log.ts';
import { jsonList, runNamedBatch } from '#worker/db/batch.ts';
import { clicksColumn } from '#worker/links/read/shard-totals.ts';
import type { Db } from '#worker/db/client.ts';
import { link_cards } from '#worker/db/schema-cards.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { abuse_reports, blocklist } from '#worker/db/schema-moderation.ts';
import { link_destinations, links } from '#worker/db/schema-links.ts';
import { users } from '#worker/db/schema-users.ts';
import { parseCodes } from '#worker/edge/earlier-codes.ts';
import { fromStoredRules, fromStoredVariants } from '#worker/links/settings/stored-rules.ts';
import { findBlocked } from '#worker/safety/find-blocked.ts';
import { hostSuffixes } from '#worker/safety/host-list.ts';
import type { Target } from '#worker/safety/target.ts';
import { findReport, toReportedLink } from './reports.ts';

/** As in the answer, with the time in ms. */
type Stored<Item> = Omit<Item, 'createdAt'> & { createdAt: number };
type Owner = Stored<Omit<NonNullable<ReportEvidence['owner']>, 'suspended'>> & {
  suspendedAt: number | null;
};
type OtherReport = Stored<ReportEvidence['otherReports'][number]>;
type Card = { title: string; description: string; image: string };
type Blocked = Stored<ReportEvidence['blocklist'][number]>;

const rfc3339 = (ms: number): string => new Date(ms).toISOString();
const withTime = <Item extends { createdAt: number }>(item: Item) => ({
  ...item,
  createdAt: rfc3339(item.createdAt),
});

/**
 * Returns a report with its link, its owner, other reports about the host, the blocklist and
 * earlier decisions; null for an unknown id. Every list is bounded, and so are the reads for it.
 * `checksReputation` is true if a reputation service is configured. `appOrigin` has the pictures of
 * cards.
 */
export async function readReportEvidence(
  db: Db,
  id: number,
  { checksReputation, appOrigin }: { checksReputation: boolean; appOrigin: string },
): Promise<ReportEvidence | null> {
  const row = await findReport(db, id);
  if (row === undefined) return null;
  const {
    linkId,
    recheckAt,
    targetChangedAt,
    closedAt,
    closedBy,
    closedByEmail,
    earlierCodes,
    ...reported
  } = row;
  const { code, longUrl, ownerId } = reported;
  // The host at the time of the report and the present one, because the owner can change it.
  const host = reported.reportedHost ?? reported.targetHost;
  const hosts = [...new Set([...hostSuffixes(host), ...hostSuffixes(reported.targetHost)])];
  const targets = [...new Set([reported.reportedUrl ?? longUrl, longUrl])];
  const [decisions, found] = await Promise.all([
    listDecisions(
      db,
      subjectsOf(id, [code, ...parseCodes(earlierCodes)], targets, hosts, ownerId),
      EVIDENCE_MAX,
    ),
    runNamedBatch(db, {
      owner: sql<Owner>`select id, email, suspended_at as suspendedAt, created_at as createdAt, (select count(*) from (
          select 1 from ${links} where ${links}.user_id = ${users}.id limit ${HOST_LINKS_MAX})) as links
        from ${users} where id = ${ownerId}`,
      card: sql<Card>`select title, description, image from ${link_cards} where link_id = ${linkId}`,
      clicks: sql<{ clicks: number }>`select ${clicksColumn} as clicks from ${links}
        left join ${link_totals} on link_totals.link_id = links.id where links.id = ${linkId}`,
      onHost: sql<{ n: number }>`select count(*) as n from (
        select 1 from ${links} where target_host = ${host} and status <> 'deleted' limit ${HOST_LINKS_MAX})`,
      others: sql<OtherReport>`select r.id, l.code, r.reason, r.details, r.status, r.created_at as createdAt
        from ${abuse_reports} as r join ${links} as l on l.id = r.link_id
        where r.id <> ${id} and r.id in (
          select id from (select id from ${abuse_reports} where target_host = ${host} order by id desc limit ${HOST_LINKS_MAX})
          union select id from ${abuse_reports} where link_id in (select ${linkId} union select id from (
            select id from ${links} where target_host = ${host} order by id desc limit ${HOST_LINKS_MAX})))
        order by r.id desc limit ${EVIDENCE_MAX}`,
      earlier: sql<{ target: string; at: number }>`select target, at from (
          select target, at, coalesce(lead(target) over (order by at), ${longUrl}) as next
          from ${link_changes} where link_id = ${linkId} and at >= ${reported.linkCreatedAt})
        where target <> next order by at desc limit ${EVIDENCE_MAX}`,
      destinations: sql<Target>`select href, host from ${link_destinations} where link_id = ${linkId}`,
      settings: sql<{
        fallback_url: string;
        rules: string;
        variants: string;
      }>`select fallback_url, rules, variants
        from ${links} where id = ${linkId}`,
      blocked: sql<Blocked>`select kind, value, reason, created_at as createdAt from ${blocklist}
        where (kind = 'host' and value in ${jsonList(hosts)})
          or (kind = 'target' and value in ${jsonList(targets)}) limit ${EVIDENCE_MAX}`,
    }),
  ]);
  const owner = found.owner.rows[0];
  const blockedDestinations = await findBlocked(db, found.destinations.rows);
  const settings = found.settings.rows[0];
  const rules = fromStoredRules(settings?.rules ?? '');
  const variants = fromStoredVariants(settings?.variants ?? '');
  return {
    report: toReportedLink(reported),
    closed:
      closedAt === null
        ? null
        : { at: rfc3339(closedAt), byId: closedBy ?? '', byEmail: closedByEmail ?? '' },
    destinationChangedAt: targetChangedAt === null ? null : rfc3339(targetChangedAt),
    earlierDestinations: found.earlier.rows.map(({ target, at }) => ({
      longUrl: target,
      until: rfc3339(at),
    })),
    card: toCard(found.card.rows[0], appOrigin),
    otherDestinations: found.destinations.rows.map(({ href }) => ({
      longUrl: href,
      conditions: rules.filter(({ to }) => to === href).map((rule) => rule.if),
      isFallback: settings?.fallback_url === href,
      share: variants.find(({ url }) => url === href)?.weight ?? null,
      blocked: blockedDestinations.get(href) === 'on_blocklist',
    })),
    clickCount: found.clicks.rows[0]?.clicks ?? 0,
    owner: owner === undefined ? null : toOwner(owner),
    hostLinks: found.onHost.rows[0]?.n ?? 0,
    otherReports: found.others.rows.map(withTime),
    blocklist: found.blocked.rows.map(withTime),
    reputation: {
      configured: checksReputation,
      nextCheckAt: recheckAt === null ? null : rfc3339(recheckAt),
    },
    decisions,
  };
}

const toOwner = ({ suspendedAt, ...owner }: Owner) => ({
  ...withTime(owner),
  suspended: suspendedAt !== null,
});

const toCard = (card: Card | undefined, appOrigin: string): ReportEvidence['card'] =>
  card === undefined
    ? null
    : { ...card, image: card.image === '' ? null : appOrigin + cardPicturePath(card.image) };

/**
 * The subjects that the audit log uses for the report, its link, the hosts that include the link,
 * and its owner.
 */
function subjectsOf(
  id: number,
  codes: readonly string[],
  targets: readonly string[],
  hosts: readonly string[],
  owner: string | null,
): string[] {
  return [
    `report:${id}`,
    ...codes.map((code) => `link:${code}`),
    ...targets.map((target) => `blocklist:${target}`),
    ...hosts.flatMap((host) => [`host:${host}`, `blocklist:${host}`]),
    ...(owner === null ? [] : [`user:${owner}`]),
  ];
}
