import {
  DELETED_OWNER,
  type LinkDomain,
  type LinkHold,
  type ModerationAction,
} from '#contract/moderation/abuse.ts';
import { splitKey } from '#contract/codes/domain-key.ts';
import { previewPathOf, type LinkKey } from '#contract/codes/link-key.ts';

/** `reportedHost` is the host at the time of the report, if it was different. */
export type Subject = {
  code: LinkKey;
  domain: LinkDomain | null;
  host: string;
  reportedHost?: string;
  ownerId: string | null;
  holds: LinkHold[];
  reportId?: number;
};
export type ModerationScope = ModerationAction['scope'];
/**
 * The choices of the dialog: one action on one of these scopes. `name` is the user's email address
 * if the page knows it.
 */
export type Moderation = {
  action: ModerationAction['action'];
  scopes: ModerationScope[];
  reportId?: number;
  name?: string;
};

/** Returns the action for a link: restore it if it is disabled, otherwise disable it. */
export function buildModeration(
  subject: Subject,
  status: 'active' | 'disabled' | 'deleted',
): Moderation {
  const report = subject.reportId === undefined ? {} : { reportId: subject.reportId };
  return status === 'disabled'
    ? { action: 'enable', scopes: scopesToRestore(subject), ...report }
    : { action: 'disable', scopes: scopesToDisable(subject), ...report };
}

/**
 * Returns what can be disabled because of a link: the link, the reported host, its current host,
 * its own domain, its owner.
 */
export function scopesToDisable({
  code,
  domain,
  host,
  reportedHost = '',
  ownerId,
}: Subject): ModerationScope[] {
  const scopes: ModerationScope[] = [{ kind: 'link', code }];
  for (const one of new Set([reportedHost, host]))
    if (one !== '') scopes.push({ kind: 'host', host: one });
  if (domain !== null && !domain.isShared && !domain.isSuspended)
    scopes.push({ kind: 'domain', host: domain.host });
  if (ownerId !== null) scopes.push({ kind: 'user', userId: ownerId });
  return scopes;
}

/**
 * Returns the holds on a link that can be lifted here. Blocklist holds are lifted in their own tab,
 * and only owners lift their own holds.
 */
export function scopesToRestore({ code, ownerId, holds }: Subject): ModerationScope[] {
  const scopes: ModerationScope[] = [];
  if (holds.some(({ kind }) => kind === 'link' || kind === 'reputation'))
    scopes.push({ kind: 'link', code });
  for (const { kind, value } of holds) {
    if (kind === 'host') scopes.push({ kind, host: value });
    if (kind === 'user' && ownerId !== null) scopes.push({ kind, userId: ownerId });
  }
  return scopes;
}

/** Restores the domain of a link; null unless it is suspended. */
export const restoringOf = (domain: LinkDomain | null): Moderation | null =>
  domain?.isSuspended === true
    ? { action: 'enable', scopes: [{ kind: 'domain', host: domain.host }] }
    : null;

/** Returns what an administrator can do with a link; null if nothing. */
export function moderationOf(
  status: 'active' | 'disabled' | 'deleted',
  holds: LinkHold[],
): 'Disable link' | 'Restore link' | null {
  if (status === 'active') return 'Disable link';
  const canRestore = holds.some(({ kind }) => kind !== 'blocklist' && kind !== 'owner');
  return status === 'disabled' && canRestore ? 'Restore link' : null;
}

export function describeScope(scope: ModerationScope): string {
  if (scope.kind === 'link') return `Only /${splitKey(scope.code).code}`;
  if (scope.kind === 'host') return `All links to ${scope.host} and its subdomains`;
  if (scope.kind === 'domain') return `Everything on ${scope.host}`;
  return isSuspension(scope)
    ? `User ${shortId(scope.userId)}`
    : `All links of ${shortId(scope.userId)}`;
}

/** How pages name a link: `/sale`, or `go.example.com/sale` on a domain. */
export const nameOfLink = (key: LinkKey, domain: LinkDomain | null): string =>
  `${domain?.host ?? ''}/${splitKey(key).code}`;

/** The address of its preview, which is on the host of its short URL. */
export function previewOf(key: LinkKey, domain: LinkDomain | null): string {
  if (domain === null) return previewPathOf(key);
  const { port } = globalThis.location;
  return `//${domain.host}${port === '' ? '' : `:${port}`}${previewPathOf(splitKey(key).code)}`;
}

/** True if disabling this scope suspends a user. A deleted account has links but no user. */
export const isSuspension = (scope: ModerationScope): boolean =>
  scope.kind === 'user' && !isDeletedOwner(scope.userId);

const HOLDER = {
  link: () => 'an action on this link',
  user: () => 'an action on its user',
  host: (value: string) => `an action on ${value}`,
  blocklist: (value: string) => `the blocklist (${value})`,
  reputation: () => 'the reputation of its host',
  owner: () => 'its owner',
};

/** Lists what keeps a link disabled: 'an action on evil.example, its owner'. */
export const describeHolds = (holds: LinkHold[]): string =>
  holds.map(({ kind, value }) => HOLDER[kind](value)).join(', ');

export const hostnameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

/** True for the random label that groups the links of a deleted account. */
export const isDeletedOwner = (id: string): boolean => id.startsWith(DELETED_OWNER);

/** Returns the first 8 characters of a user id: '1a2b3c4d', or 'deleted account 1a2b3c4d'. */
export const shortId = (id: string): string =>
  isDeletedOwner(id)
    ? `deleted account ${id.slice(DELETED_OWNER.length, DELETED_OWNER.length + 8)}`
    : id.slice(0, 8);
