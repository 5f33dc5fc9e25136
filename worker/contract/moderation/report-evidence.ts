import type { BlocklistEntry, ReportedLink } from './abuse.ts';
import type { AdminLogEntry } from './admin.ts';
import type { LinkCard } from '#contract/links/link-card.ts';
import type { RuleConditions } from '#contract/links/rule-conditions.ts';

/** The most links to one host that evidence reads, newest first. */
export const HOST_LINKS_MAX = 200;
/** The most other reports and decisions that evidence lists. */
export const EVIDENCE_MAX = 10;

/** GET /api/admin/reports/:id: a report with the evidence for a decision. Times are RFC 3339. */
export type ReportEvidence = {
  report: ReportedLink;
  /** Null while it is open. `byEmail` is '' if the account has no email or was deleted. */
  closed: { at: string; byId: string; byEmail: string } | null;
  /** When the destination last changed; null for never. */
  destinationChangedAt: string | null;
  /**
   * The link's earlier targets, newest first, and until when each was used. They are part of the
   * owner's history, so they are deleted with the account.
   */
  earlierDestinations: { longUrl: string; until: string }[];
  /** What chats and social networks show for the link; null for no card. */
  card: Pick<LinkCard, 'title' | 'description' | 'image'> | null;
  /**
   * Where else the link leads now: the conditions of the rules that lead there, and whether it is
   * the destination after the end. `blocked`: the blocklist contains it.
   */
  otherDestinations: {
    longUrl: string;
    conditions: RuleConditions[];
    isFallback: boolean;
    /** Its share of the visitors in percent if it is a variant. */
    share: number | null;
    blocked: boolean;
  }[];
  clickCount: number;
  /**
   * Null for a link of a visitor or of a deleted account. `links` includes deleted ones and stops
   * at HOST_LINKS_MAX.
   */
  owner: {
    id: string;
    email: string;
    suspended: boolean;
    createdAt: string;
    links: number;
  } | null;
  /**
   * The number of links to the reported host that are not deleted, up to HOST_LINKS_MAX. For a
   * report without a stored target, this is the present host.
   */
  hostLinks: number;
  /**
   * The newest other reports about this link, about that host, and about the newest links to it.
   */
  otherReports: Pick<ReportedLink, 'id' | 'code' | 'reason' | 'details' | 'status' | 'createdAt'>[];
  /**
   * The entries that match the reported destination or the present one, their hosts or a parent
   * domain.
   */
  blocklist: Pick<BlocklistEntry, 'kind' | 'value' | 'reason' | 'createdAt'>[];
  /**
   * `nextCheckAt` is null if the host is not checked again. A bad reputation is among the holds
   * of the link.
   */
  reputation: { configured: boolean; nextCheckAt: string | null };
  /** The newest entries of the audit log about the link, its host, its owner and this report. */
  decisions: AdminLogEntry[];
};
