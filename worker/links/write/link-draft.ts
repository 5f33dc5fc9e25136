import { DEFAULT_DOMAIN, linkKey, type DomainId } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { SETTING_NAMES, type LinkSettings } from '#contract/links/link-settings.ts';
import { NO_SETTINGS } from '#worker/db/link-settings.ts';
import type { LinkRefusal } from '#worker/messages/links.ts';
import { checkAlias, type AliasErrorReason } from '#worker/edge/codes.ts';
import { checkDestinations, type DestinationError } from '#worker/links/settings/destinations.ts';
import { checkTarget, type Target, type TargetPolicy } from '#worker/safety/target.ts';

/** The validated input of a new link. Its target has passed the link policy. */
export type LinkDraft = LinkSettings & {
  /** Not hashed yet (settings/hash-password.ts). */
  newPassword?: string | undefined;
  target: Target;
  /** The chosen code; null to generate one that starts with `codePrefix`. */
  code: string | null;
  codePrefix: string;
  /** The domain of the code. The caller has checked that the member may use it. */
  domain: DomainId;
  externalId: string | null;
  tags: readonly string[];
  /** False for a link that starts disabled. */
  enabled?: boolean | undefined;
  /** Whether the link may take over the code of a deleted link of its owner. */
  mayTakeFormer: boolean;
};

/** The validated input of a change. Undefined fields stay unchanged. */
export type LinkEdit = Omit<EditInput, 'target'> & { target?: Target | undefined };

/** The input of a new link and of a change, before validation. Undefined fields were not given. */
export type DraftInput = EditInput & { target: string };
export type EditInput = Partial<LinkSettings> & {
  newPassword?: string | undefined;
  target?: string | undefined;
  /** The chosen code. If it replaces another code, that one keeps redirecting to the link. */
  code?: string | undefined;
  /** The domain of the code. An edit moves the link there. */
  domain?: DomainId | undefined;
  externalId?: string | null | undefined;
  enabled?: boolean | undefined;
  tags?: readonly string[] | undefined;
};

export type DraftErrorReason =
  | DestinationError['reason']
  | 'end_before_start'
  | 'outside_prefix'
  | 'invalid_expiry'
  | 'sign_in_required'
  | AliasErrorReason;

export const INVALID_EXPIRY = { ok: false, reason: 'invalid_expiry' } as const;
export const END_BEFORE_START = { ok: false, reason: 'end_before_start' } as const;

type PolicyContext = { policy: TargetPolicy; now: number; codePrefix?: string };

/**
 * Validates the input of a new link without touching storage. An empty code counts as none, because
 * forms send empty fields.
 */
export function parseLinkDraft(
  { code: given = '', domain = DEFAULT_DOMAIN, ...input }: DraftInput,
  context: PolicyContext & { isMember: boolean; mayTakeFormer?: boolean },
): { ok: true; draft: LinkDraft } | LinkRefusal<DraftErrorReason> {
  const code = given === '' ? null : given;
  const isPlain =
    code === null &&
    domain === DEFAULT_DOMAIN &&
    input.tags === undefined &&
    input.newPassword === undefined &&
    SETTING_NAMES.every((name) => input[name] === undefined);
  if (!context.isMember && !isPlain) return { ok: false, reason: 'sign_in_required' };
  const error = checkCode(code, domain, context) ?? checkTimes(input, context.now);
  if (error !== null) return error;
  const check = checkTarget(input.target, context.policy);
  if (!check.ok) return { ok: false, reason: 'invalid_target', values: { target: check.reason } };
  const checked = checkDestinations(input, context.policy);
  if (!checked.ok) return checked;
  const { externalId = null, tags = [] } = input;
  const { codePrefix = '', mayTakeFormer = true } = context;
  return {
    ok: true,
    draft: {
      ...NO_SETTINGS,
      ...checked.settings,
      target: check.target,
      code,
      codePrefix,
      domain,
      externalId,
      tags,
      mayTakeFormer,
    },
  };
}

export function parseLinkEdit(
  { target, ...input }: EditInput,
  context: PolicyContext,
): { ok: true; edit: LinkEdit } | LinkRefusal<Exclude<DraftErrorReason, 'sign_in_required'>> {
  const error =
    checkCode(input.code ?? null, input.domain ?? null, context) ?? checkTimes(input, context.now);
  if (error !== null) return error;
  const checked = checkDestinations(input, context.policy);
  if (!checked.ok) return checked;
  if (target === undefined) return { ok: true, edit: checked.settings };
  const check = checkTarget(target, context.policy);
  if (!check.ok) return { ok: false, reason: 'invalid_target', values: { target: check.reason } };
  return { ok: true, edit: { ...checked.settings, target: check.target } };
}

/**
 * Checks a code. The domain is null for a change that keeps it: `planRename` checks whether the code
 * is reserved there.
 */
function checkCode(
  code: string | null,
  domain: DomainId | null,
  { codePrefix = '' }: PolicyContext,
): LinkRefusal<'outside_prefix' | AliasErrorReason> | null {
  const outside = { ok: false, reason: 'outside_prefix', values: { codePrefix } } as const;
  // An API key with a prefix makes links on the deployment's own short host only.
  if (codePrefix !== '' && (domain ?? DEFAULT_DOMAIN) !== DEFAULT_DOMAIN) return outside;
  if (code === null) return null;
  const check = checkAlias(code, domain);
  if (!check.ok) return check;
  return code.startsWith(codePrefix) ? null : outside;
}

/** The key of a code that was chosen; null for a code that is generated. */
export const chosenKey = ({ domain, code }: LinkDraft): LinkKey | null =>
  code === null ? null : linkKey(domain, code);

function checkTimes(
  { startsAt, expiresAt }: Pick<EditInput, 'startsAt' | 'expiresAt'>,
  now: number,
): LinkRefusal<'invalid_expiry' | 'end_before_start'> | null {
  if (typeof expiresAt !== 'number') return null;
  if (expiresAt <= now) return INVALID_EXPIRY;
  return typeof startsAt === 'number' && expiresAt <= startsAt ? END_BEFORE_START : null;
}
