import type { DomainRecord } from '#contract/domains.ts';
import { isProof, proofName } from './proof-value.ts';
import type { DnsAnswers, LookUp } from './resolvers.ts';
import { isOfPlatform } from './platform-address.ts';

/** What a check saw at a record. */
export type SeenRecord = Pick<DomainRecord, 'state' | 'seen'>;
export type SeenDns = {
  txt: SeenRecord;
  cname: SeenRecord;
  /** The host leads to the platform's proxy, perhaps for another account. */
  isProxied: boolean;
  /** CAA records allow none of the platform's certificate authorities. */
  isForbidden: boolean;
};

export const UNSEEN: SeenRecord = { state: 'unknown', seen: [] };

const SEEN_MAX = 5;
const TEXT_MAX = 255;
/**
 * The authorities of the platform
 * (https://developers.cloudflare.com/ssl/reference/certificate-authorities/).
 */
const AUTHORITIES: ReadonlySet<string> = new Set([
  'letsencrypt.org',
  'pki.goog',
  'ssl.com',
  'sectigo.com',
  'digicert.com',
]);

/** Returns what pages show of answers. */
const shorten = (texts: Iterable<string>): string[] =>
  [...new Set(texts)].slice(0, SEEN_MAX).map((text) => text.slice(0, TEXT_MAX));

/** True if every resolver answered, and every answer has this value. */
export const allHave = (answers: DnsAnswers, value: string): boolean =>
  answers.every((records) => records?.includes(value) === true);

/** True if every resolver answered, and none has one of these values. */
export const noneHas = (answers: DnsAnswers, values: readonly string[]): boolean =>
  answers.every((records) => records !== null && !records.some((one) => values.includes(one)));

const areSilent = (answers: DnsAnswers): boolean => answers.some((records) => records === null);

export const readProofs = (lookUp: LookUp, host: string): Promise<DnsAnswers> =>
  lookUp(proofName(host), 'TXT');

/** Judges the TXT record by the answers of `readProofs`. Either of `values` is right. */
export function judgeProofs(answers: DnsAnswers, values: readonly string[]): SeenRecord {
  const seen = shorten(answers.flatMap((records) => (records ?? []).filter(isProof)));
  if (values.some((value) => allHave(answers, value))) return { state: 'right', seen };
  if (areSilent(answers)) return { state: 'unknown', seen };
  return { state: seen.length === 0 ? 'missing' : 'wrong', seen };
}

/** Looks at where a host leads, and at what would keep the platform from a certificate. */
export async function readTarget(
  lookUp: LookUp,
  host: string,
  target: string,
): Promise<Omit<SeenDns, 'txt'>> {
  const [names, isForbidden] = await Promise.all([
    lookUp(host, 'CNAME'),
    isCaaForbidding(lookUp, host),
  ]);
  const found = shorten(names.flatMap((records) => records ?? []));
  const toTarget = (cname: SeenRecord, isProxied = false) => ({ cname, isProxied, isForbidden });
  if (allHave(names, target)) return toTarget({ state: 'right', seen: found });
  if (areSilent(names)) return toTarget({ state: 'unknown', seen: found });
  if (found.length > 0) return toTarget({ state: 'wrong', seen: found });
  // A provider that flattens CNAME records shows addresses.
  const [own, wanted] = await Promise.all([
    readAddresses(lookUp, host),
    readAddresses(lookUp, target),
  ]);
  if (own === null || wanted === null) return toTarget(UNSEEN);
  if (own.length === 0) return toTarget({ state: 'missing', seen: [] });
  const seen = shorten(own);
  if (own.every((address) => wanted.includes(address))) return toTarget({ state: 'right', seen });
  return toTarget({ state: 'wrong', seen }, own.some(isOfPlatform));
}

/** Returns the types of records that a host has and that a CNAME record would replace. */
export async function readUse(lookUp: LookUp, host: string): Promise<string[] | null> {
  const types = ['A', 'AAAA', 'MX'] as const;
  const found = await Promise.all(types.map((type) => lookUp(host, type)));
  if (found.some((answers) => answers.every((records) => records === null))) return null;
  return types.filter((_, at) => found[at]?.some((records) => (records ?? []).length > 0));
}

async function readAddresses(lookUp: LookUp, host: string): Promise<string[] | null> {
  const answers = (await Promise.all([lookUp(host, 'A'), lookUp(host, 'AAAA')])).flat();
  return answers.every((records) => records === null)
    ? null
    : answers.flatMap((records) => records ?? []);
}

/** Enough for `go.example.co.uk`. A deeper name must not use up an invocation's requests. */
const CAA_NAMES_MAX = 3;

/** CAA records of the nearest parent that has any apply (RFC 8659 §3). */
async function isCaaForbidding(lookUp: LookUp, host: string): Promise<boolean> {
  const labels = host.split('.');
  for (let at = 0; at < Math.min(labels.length - 1, CAA_NAMES_MAX); at += 1) {
    const answers = await lookUp(labels.slice(at).join('.'), 'CAA');
    const records = answers.flatMap((found) => found ?? []);
    if (records.length === 0) continue;
    const issuers = records.flatMap((record) => /^issue ([^;]*)/.exec(record)?.[1]?.trim() ?? []);
    return issuers.length > 0 && !issuers.some((issuer) => AUTHORITIES.has(issuer));
  }
  return false;
}
