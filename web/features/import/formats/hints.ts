import { COMMON_NAMES, normalizeName } from './columns.ts';
import type { LossKind } from './losses.ts';

/**
 * What a column without a meaning says about its links. Files can have several columns with states,
 * but only one of them has the meaning.
 */
export type Hint = LossKind | 'disabled' | 'inactive' | 'deleted';

const HINTS: Readonly<Record<string, Hint>> = {
  ...hints(
    'password',
    `${COMMON_NAMES.password} haspassword passwordprotected secretkey passwordhash`,
  ),
  ...hints('disabled', COMMON_NAMES.disabled),
  ...hints('inactive', COMMON_NAMES.active),
  ...hints('deleted', 'deleted isdeleted deletedat'),
  ...hints(
    'rules',
    'hasredirectrules redirectrules rules geo geotargeting devicelongurls ios android iosurl androidurl apple google testvariants splittest splitvariants spliturl splitpercent mobileurl desktopurl iphoneurl ipadurl',
  ),
  ...hints('cloaking', 'rewrite cloaking cloaked iframe'),
  ...hints('preview', 'proxy image video ogimage ogtitle ogdescription'),
};

function hints(hint: Hint, names: string): Record<string, Hint> {
  return Object.fromEntries(names.split(' ').map((name) => [name, hint]));
}

/** Fields about a row of the other service, which are no part of the link. */
const TECHNICAL: ReadonlySet<string> = new Set(
  [
    'domain domainid qrcode updatedat userid ownerid workspaceid projectid clientid createdby iscustom https source references type relativecreatedat relativeexpirein',
    COMMON_NAMES.shortUrl,
    COMMON_NAMES.sourceId,
  ].flatMap((names) => names.split(' ')),
);
export const isTechnical = (name: string): boolean =>
  TECHNICAL.has(normalizeName(name)) || TECHNICAL.has(normalizeName(firstPart(name)));

const firstPart = (name: string): string => name.split('.')[0] ?? '';

/** Objects are read as `geo.US`, so the first part of a name counts, too. */
export const hintOf = (name: string): Hint | undefined =>
  HINTS[normalizeName(name)] ?? HINTS[normalizeName(firstPart(name))];

const NO = /^(?:|0|false|f|no|n|off|null|none|never|undefined|\\n|n\/a|-|0000-00-00.*|\[\]|\{\})$/i;
const YES = /^(?:1|true|t|yes|y|on|active|enabled|live|published)$/i;

/** True for a cell or member that says no, or nothing. */
export function isNo(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'string') return NO.test(value.trim());
  return value === undefined || value === null || value === false || value === 0;
}

/** True for a value that says that the link is not active. An absent one says nothing. */
export const isInactive = (value: unknown): boolean =>
  value === false ||
  value === 0 ||
  (typeof value === 'string' && value.trim() !== '' && !isNull(value) && !YES.test(value.trim()));

export const isNull = (text: string): boolean => /^(?:null|\\n)$/i.test(text.trim());
