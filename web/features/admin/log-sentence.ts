import type { AdminLogEntry } from '#contract/moderation/admin.ts';
import { PLANS } from '#contract/site.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { formatDate } from '#web/shared/texts/format.ts';
import { isDeletedOwner, shortId } from './moderation-scopes.ts';

type Facts = Record<string, unknown>;
/** `kind` and `name` say what the entry is about, for example 'user' and 'ann@example.com'. */
type Change = { kind: string; name: string; before: Facts; after: Facts };

const SENTENCES: Record<string, (change: Change) => string> = {
  update_plan: describePlan,
  downgrade_plan: (change) =>
    typeof change.after['downgrade_at'] === 'string'
      ? `${change.name} changes to ${PLANS.free.name} on ${formatDate(change.after['downgrade_at'])}`
      : describePlan(change),
  cancel_downgrade: ({ name }) => `${name} stays on ${PLANS.premium.name}`,
  reset_usage: ({ name, before }) => `Usage of ${name}: ${describeUsage(before)} → 0`,
  renew_import: ({ name, before }) =>
    `Import allowance of ${name}: ${Number(before['imported_links'] ?? 0)} used → 0`,
  set_role: describeRole,
  grant_admin: describeRole,
  claim_admin: describeRole,
  leave_admin_group: describeRole,
  turn_off_factor: ({ name }) => `Turned off the authenticator app of ${name}`,
  suspend_user: ({ name, after }) => `Suspended ${name}${withLinks(after)}`,
  lift_suspension: ({ name, after }) => `Lifted the suspension of ${name}${withLinks(after)}`,
  suspend_domain: ({ name, after }) => `Suspended the domain ${name}${withLinks(after)}`,
  restore_domain: ({ name, after }) => `Restored the domain ${name}${withLinks(after)}`,
  disable_links: (change) => `Disabled ${describeLinks(change)}`,
  remove_card: (change) => `Removed the preview card of ${describeLinks(change)}`,
  enable_links: (change) => `Restored ${describeLinks(change)}`,
  import_blocklist: describeImport,
  remove_blocklist: ({ name }) => `Removed ${name} from the blocklist`,
  change_app_links: describeAppLinks,
  decide_report: ({ name, before, after }) =>
    `${capitalize(name)}: ${wordOf(before['status'])} → ${wordOf(after['status'])}`,
  create_post: ({ name, after }) =>
    `${after['published'] === true ? 'Published the post' : 'Created the draft'} ${titleOf(after, name)}`,
  change_post: describePostChange,
  delete_post: ({ name, before }) => `Deleted the post ${titleOf(before, name)}`,
  create_api_key: ({ name, after }) => `${name} created the API key ${keyName(after)}`,
  rotate_api_key: ({ name, after }) => `${name} rotated the API key ${keyName(after)}`,
  revoke_api_key: ({ name, after }) => `${name} revoked the API key ${keyName(after)}`,
  share_report: ({ name }) => `${name} shared a report`,
  stop_sharing: ({ name }) => `${name} stopped sharing a report`,
  test_alert: () => 'Sent a test alert',
  replay_clicks: () => 'Counted clicks that were set aside',
  change_link: ({ name, after }) => `Changed the link ${name} by key “${wordOf(after['key'])}”`,
  change_links: ({ name, after }) =>
    `${name} changed ${plural(Number(after['links']), 'link')} by key “${wordOf(after['key'])}”: ${wordOf(after['action'])}`,
  delete_link: ({ name, after }) => `Deleted the link ${name} by key “${wordOf(after['key'])}”`,
  create_webhook: ({ name, after }) => `${name} added the webhook at ${wordOf(after['host'])}`,
  change_webhook: ({ name, after }) =>
    `${name} changed the webhook at ${wordOf(after['host'])}${after['enabled'] === false ? ' (disabled)' : ''}`,
  rotate_webhook: ({ name, after }) =>
    `${name} rotated the secret of the webhook at ${wordOf(after['host'])}`,
  delete_webhook: ({ name, after }) => `${name} deleted the webhook at ${wordOf(after['host'])}`,
  repair_counts: () => 'Rebuilt the click totals of all links',
};

/**
 * Describes an entry of the audit log: 'Plan of ann@example.com: Premium → Free'. An unknown action
 * is shown as stored.
 */
export function describeEntry({
  action,
  subject,
  subjectEmail,
  before,
  after,
}: AdminLogEntry): string {
  const colon = subject.indexOf(':');
  const [kind, value] =
    colon === -1 ? [subject, ''] : [subject.slice(0, colon), subject.slice(colon + 1)];
  const name = nameOf(kind, value, subjectEmail);
  const describe = Object.hasOwn(SENTENCES, action) ? SENTENCES[action] : undefined;
  if (describe === undefined) return `${capitalize(action.replaceAll('_', ' '))}: ${name}`;
  return describe({ kind, name, before: factsOf(before), after: factsOf(after) });
}

/**
 * Returns who made the change: an email, 'user 1a2b3c4d' for an account without one, or the system.
 */
export const describeActor = ({ adminId, adminEmail }: AdminLogEntry): string =>
  adminId === 'system' ? 'the system' : nameOfUser(adminId, adminEmail);

function nameOf(kind: string, value: string, email: string): string {
  if (kind === 'user') return nameOfUser(value, email);
  if (kind === 'link') return `/${value}`;
  if (kind === 'report') return `report ${value}`;
  return value === '' ? kind : value;
}

export function nameOfUser(id: string, email: string): string {
  if (email !== '') return email;
  return isDeletedOwner(id) ? shortId(id) : `user ${shortId(id)}`;
}

function describePlan({ name, before, after }: Change): string {
  return `Plan of ${name}: ${planName(before['plan_type'])} → ${planName(after['plan_type'])}`;
}

function describeRole({ name, before, after }: Change): string {
  const roles: Record<string, string> = { user: 'Member', admin: 'Administrator' };
  const roleName = (role: unknown): string => roles[wordOf(role)] ?? wordOf(role);
  return `Role of ${name}: ${roleName(before['role'])} → ${roleName(after['role'])}`;
}

function planName(plan: unknown): string {
  if (plan === 'premium' || plan === 'free') return PLANS[plan].name;
  return plan === undefined ? PLANS.free.name : wordOf(plan);
}

function describeUsage({ current_usage: used, monthly_limit: limit }: Facts): string {
  if (typeof used !== 'number') return '0';
  return typeof limit === 'number'
    ? `${formatNumber(used)} of ${formatNumber(limit)}`
    : formatNumber(used);
}

const withLinks = ({ links }: Facts): string =>
  typeof links === 'number' && links > 0 ? ` (${plural(links, 'link')})` : '';

/** Returns 'the link /abc', '3 links to evil.example' or '3 links of deleted account 1a2b3c4d'. */
function describeLinks({ kind, name, after: { links } }: Change): string {
  if (kind === 'link') return `the link ${name}`;
  const count = typeof links === 'number' ? plural(links, 'link') : 'links';
  return `${count} ${kind === 'user' ? 'of' : 'to'} ${name}`;
}

/** The entry stores only the first values, so that a long list does not fill the log. */
function describeImport({ after: { added, first } }: Change): string {
  const values = Array.isArray(first) ? first.map(wordOf) : [];
  const count = typeof added === 'number' ? added : values.length;
  const list = [...values, ...(count > values.length ? ['…'] : [])].join(', ');
  return `Added ${plural(count, 'entry', 'entries')} to the blocklist${list === '' ? '' : `: ${list}`}`;
}

function describeAppLinks({
  name,
  before,
  after: { apps, host = before['host'] },
}: Change): string {
  const on = host === undefined ? '' : ` on ${wordOf(host)}`;
  const phones = `${name === 'apple' ? 'iPhone' : 'Android'}${on}`;
  return Array.isArray(apps)
    ? `Changed the app links for ${phones}: ${apps.map(wordOf).join(', ') || 'no app'}`
    : `Removed the app links for ${phones}`;
}

function describePostChange({ name, before, after }: Change): string {
  const title = titleOf(after, name);
  if (before['published'] !== after['published'])
    return `${after['published'] === true ? 'Published' : 'Unpublished'} the post ${title}`;
  return before['title'] === after['title']
    ? `Changed the post ${title}`
    : `Renamed the post ${titleOf(before, name)} to ${title}`;
}

const keyName = ({ name, prefix }: Facts): string => `“${wordOf(name)}” (${wordOf(prefix)}…)`;

const titleOf = ({ title }: Facts, slug: string): string =>
  `“${typeof title === 'string' ? title : slug}”`;

const isFacts = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const factsOf = (value: unknown): Facts => (isFacts(value) ? value : {});

function wordOf(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
