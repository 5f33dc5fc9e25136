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
  /** Null while it is open. `by_email` is '' if the account has no email or was deleted. */
  closed: { at: string; by_id: string; by_email: string } | null;
  /** When the destination last changed; null for never. */
  destination_changed_at: string | null;
  /**
   * The link's earlier targets, newest first, and until when each was used. They are part of the
   * owner's history, so they are deleted with the account.
   */
  earlier_destinations: { long_url: string; until: string }[];
  /** What chats and social networks show for the link; null for no card. */
  card: Pick<LinkCard, 'title' | 'description' | 'image'> | null;
  /**
   * Where else the link leads now: the conditions of the rules that lead there, and whether it is
   * the destination after the end. `blocked`: the blocklist contains it.
   */
  other_destinations: {
    long_url: string;
    conditions: RuleConditions[];
    is_fallback: boolean;
    /** Its share of the visitors in percent if it is a variant. */
    share: number | null;
    blocked: boolean;
  }[];
  click_count: number;
  /**
   * Null for a link of a visitor or of a deleted account. `links` includes deleted ones and stops
   * at HOST_LINKS_MAX.
   */
  owner: {
    user_id: string;
    email: string;
    suspended: boolean;
    created_at: string;
    links: number;
  } | null;
  /**
   * The number of links to the reported host that are not deleted, up to HOST_LINKS_MAX. For a
   * report without a stored target, this is the present host.
   */
  host_links: number;
  /**
   * The newest other reports about this link, about that host, and about the newest links to it.
   */
  other_reports: Pick<
    ReportedLink,
    'id' | 'short_code' | 'reason' | 'details' | 'status' | 'created_at'
  >[];
  /**
   * The entries that match the reported destination or the present one, their hosts or a parent
   * domain.
   */
  blocklist: Pick<BlocklistEntry, 'kind' | 'value' | 'reason' | 'created_at'>[];
  /**
   * `next_check_at` is null if the host is not checked again. A bad reputation is among the holds
   * of the link.
   */
  reputation: { configured: boolean; next_check_at: string | null };
  /** The newest entries of the audit log about the link, its host, its owner and this report. */
  decisions: AdminLogEntry[];
};
