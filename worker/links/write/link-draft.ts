import type { LinkReason, LinkRefusal } from '#worker/messages/links.ts';
import type { LinkChange, ShortenRequest } from '#contract/links.ts';
import { toStoredRule } from './forward-params.ts';
import { checkAlias, type AliasErrorReason } from '#worker/edge/codes.ts';
import { checkTarget, type Target, type TargetPolicy } from '#worker/safety/target.ts';

/**
 * A new link whose input has been validated. `target` has passed the link policy; `expiresAt` is in
 * ms. A generated code starts with `codePrefix`.
 */
export type LinkDraft = {
  target: Target;
  alias: string | null;
  expiresAt: number | null;
  externalId?: string | null;
  codePrefix?: string;
  /** In its stored form, see `toStoredRule`. */
  forwardParams?: string;
  title?: string;
  note?: string;
  /** Names of tags. */
  tags?: readonly string[];
  /** Whether the link may get the code of a deleted link of its owner; true if absent. */
  mayTakeFormer?: boolean;
};

/**
 * What an owner notes about a link. Redirects do not depend on it. Members that are absent stay as
 * they are.
 */
export type LinkDetails = {
  title?: string | undefined;
  note?: string | undefined;
  favorite?: boolean | undefined;
  archived?: boolean | undefined;
  tags?: readonly string[] | undefined;
};

/** A change whose input has been validated. Members that are absent stay as they are. */
export type LinkEdit = {
  /** A new code. The old one keeps redirecting to the link. */
  code?: string;
  target?: Target;
  expiresAt?: number | null;
  externalId?: string | null;
  enabled?: boolean;
  /** In its stored form, see `toStoredRule`. */
  forwardParams?: string;
  details?: LinkDetails;
};

export type DraftErrorReason =
  | 'invalid_target'
  | 'outside_prefix'
  | 'invalid_expiry'
  | 'sign_in_required'
  | AliasErrorReason;
type Invalid<Reason extends LinkReason> = LinkRefusal<Reason>;

const EXPIRED = { ok: false, reason: 'invalid_expiry' } as const;

/**
 * Validates the input of a new link without touching storage. An empty alias means none, because
 * forms send empty fields.
 */
export function parseLinkDraft(
  input: ShortenRequest &
    Pick<LinkDetails, 'title' | 'note' | 'tags'> & { externalId?: string | null },
  context: { isMember: boolean; policy: TargetPolicy; now: number; codePrefix?: string },
): { ok: true; draft: LinkDraft } | Invalid<DraftErrorReason> {
  const alias = input.customCode === undefined || input.customCode === '' ? null : input.customCode;
  const expiresAt = input.expiresAt ?? null;
  const { codePrefix = '' } = context;
  if (
    !context.isMember &&
    (alias !== null || expiresAt !== null || input.forwardParams !== undefined)
  )
    return { ok: false, reason: 'sign_in_required' };
  if (alias !== null) {
    const check = checkCode(alias, codePrefix);
    if (!check.ok) return check;
  }
  if (expiresAt !== null && expiresAt <= context.now) return EXPIRED;
  const check = checkTarget(input.longUrl, context.policy);
  if (!check.ok) return { ok: false, reason: 'invalid_target', values: { target: check.reason } };
  const { externalId = null, title = '', note = '', tags = [] } = input;
  const forwardParams = toStoredRule(input.forwardParams ?? 'none');
  return {
    ok: true,
    draft: {
      target: check.target,
      alias,
      expiresAt,
      externalId,
      codePrefix,
      forwardParams,
      title,
      note,
      tags,
    },
  };
}

function checkCode(
  code: string,
  codePrefix = '',
): { ok: true } | Invalid<'outside_prefix' | AliasErrorReason> {
  const check = checkAlias(code);
  if (!check.ok || code.startsWith(codePrefix)) return check;
  return { ok: false, reason: 'outside_prefix', values: { codePrefix } };
}

/** Validates an owner's change of a link without touching storage. */
export function parseLinkEdit(
  {
    longUrl,
    customCode,
    expiresAt,
    externalId,
    enabled,
    forwardParams,
    title,
    note,
    favorite,
    archived,
    tags,
  }: LinkChange & { externalId?: string | null },
  context: { policy: TargetPolicy; now: number; codePrefix?: string },
): { ok: true; edit: LinkEdit } | Invalid<Exclude<DraftErrorReason, 'sign_in_required'>> {
  const edit: LinkEdit = {};
  if (customCode !== undefined) {
    const check = checkCode(customCode, context.codePrefix);
    if (!check.ok) return check;
    edit.code = customCode;
  }
  if (expiresAt !== undefined) {
    if (expiresAt !== null && expiresAt <= context.now) return EXPIRED;
    edit.expiresAt = expiresAt;
  }
  if (longUrl !== undefined) {
    const check = checkTarget(longUrl, context.policy);
    if (!check.ok) return { ok: false, reason: 'invalid_target', values: { target: check.reason } };
    edit.target = check.target;
  }
  if (externalId !== undefined) edit.externalId = externalId;
  if (enabled !== undefined) edit.enabled = enabled;
  if (forwardParams !== undefined) edit.forwardParams = toStoredRule(forwardParams);
  const details: LinkDetails = { title, note, favorite, archived, tags };
  if (Object.values(details).some((value) => value !== undefined)) edit.details = details;
  return { ok: true, edit };
}
