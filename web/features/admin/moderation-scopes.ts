import type { LinkHold, ModerationAction } from '#contract/abuse.ts';
import { isDeletedOwner, shortId } from './short-id.ts';

export type Subject = { code: string; host: string; ownerId: string | null; holds: LinkHold[]; reportId?: number };
export type Scope = ModerationAction['scope'];
/** What the dialog offers: to disable or to restore one of these. `name`: the user's, where the page knows it. */
export type Moderation = { action: ModerationAction['action']; scopes: Scope[]; reportId?: number; name?: string };

/** What an administrator may do about a link: disable it while it works, restore it while it is held. */
export function buildModeration(subject: Subject, status: 'active' | 'disabled' | 'deleted'): Moderation {
  const reported = subject.reportId === undefined ? {} : { reportId: subject.reportId };
  return status === 'disabled'
    ? { action: 'enable', scopes: scopesToRestore(subject), ...reported }
    : { action: 'disable', scopes: scopesToDisable(subject), ...reported };
}

/** What an administrator may disable with one link in view. */
export function scopesToDisable({ code, host, ownerId }: Subject): Scope[] {
  const scopes: Scope[] = [{ kind: 'link', code }];
  if (host !== '') scopes.push({ kind: 'host', host });
  if (ownerId !== null) scopes.push({ kind: 'user', user_id: ownerId });
  return scopes;
}

/** What can be taken back: the scopes by which the link is held. The blocklist (it has its own tab) and its owner's wish are not among them. */
export function scopesToRestore({ code, ownerId, holds }: Subject): Scope[] {
  const scopes: Scope[] = [];
  if (holds.some(({ kind }) => kind === 'link' || kind === 'reputation')) scopes.push({ kind: 'link', code });
  for (const { kind, value } of holds) {
    if (kind === 'host') scopes.push({ kind, host: value });
    if (kind === 'user' && ownerId !== null) scopes.push({ kind, user_id: ownerId });
  }
  return scopes;
}

/** True where an administrator can lift something. */
export const canRestore = (holds: LinkHold[]): boolean => holds.some(({ kind }) => kind !== 'blocklist' && kind !== 'owner');

export function describeScope(scope: Scope): string {
  if (scope.kind === 'link') return `Only /${scope.code}`;
  if (scope.kind === 'host') return `All links to ${scope.host} and its subdomains`;
  return isSuspension(scope) ? `User ${shortId(scope.user_id)}` : `All links of ${shortId(scope.user_id)}`;
}

/** True where disabling means to suspend a person: of a deleted account only the links are left. */
export const isSuspension = (scope: Scope): boolean => scope.kind === 'user' && !isDeletedOwner(scope.user_id);

const HOLDER = {
  link: () => 'an action on this link',
  user: () => 'an action on its user',
  host: (value: string) => `an action on ${value}`,
  blocklist: (value: string) => `the blocklist (${value})`,
  reputation: () => 'the reputation of its host',
  owner: () => 'its owner',
};

/** 'an action on evil.example, its owner': what keeps a link disabled. */
export const describeHolds = (holds: LinkHold[]): string => holds.map(({ kind, value }) => HOLDER[kind](value)).join(', ');

/** The host that a long URL leads to; '' where it is none. */
export const hostnameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');
