import * as z from 'zod/mini';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { readBodyText } from '#worker/http/read-body.ts';
import { NOERROR, NXDOMAIN } from '#worker/safety/reputation.ts';

/** Two companies, so that neither can make up a proof. */
const RESOLVERS = ['https://cloudflare-dns.com/dns-query', 'https://dns.google/resolve'];
const TIME_LIMIT_MS = 3_000;
const ANSWER_MAX_BYTES = 64_000;
const RECORDS_MAX = 50;

const TYPES = { A: 1, CNAME: 5, MX: 15, TXT: 16, AAAA: 28, CAA: 257 } as const;
export type RecordType = keyof typeof TYPES;

/** What each resolver answered; null for one that did not. */
export type DnsAnswers = readonly (readonly string[] | null)[];
/** Asks all resolvers for the records of a type at a name. They follow CNAME records. */
export type LookUp = (name: string, type: RecordType) => Promise<DnsAnswers>;

const answerSchema = z.object({
  Status: z.number(),
  Answer: z.optional(z.array(z.object({ name: z.string(), type: z.number(), data: z.string() }))),
});

/** `setting` is DOMAINS_DOH_URLS: addresses that answer JSON, separated by spaces; '' for ours. */
export function createLookUp(setting: string, fetcher: FetchFunction): LookUp {
  const configured = setting.split(/[\s,]+/).filter((url) => url !== '');
  const resolvers = configured.length === 0 ? RESOLVERS : configured;
  return (name, type) =>
    Promise.all(resolvers.map((resolver) => askOne(resolver, name, type, fetcher)));
}

async function askOne(
  resolver: string,
  name: string,
  type: RecordType,
  fetcher: FetchFunction,
): Promise<readonly string[] | null> {
  try {
    const response = await fetcher(`${resolver}?name=${encodeURIComponent(name)}&type=${type}`, {
      headers: { Accept: 'application/dns-json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return null;
    }
    const body = await readBodyText(response.body, ANSWER_MAX_BYTES, TIME_LIMIT_MS);
    const answer = body.ok ? answerSchema.safeParse(JSON.parse(body.text)) : null;
    if (answer === null || !answer.success) return null;
    const { Status, Answer = [] } = answer.data;
    if (Status === NXDOMAIN) return [];
    // With SERVFAIL and similar codes, the name may have records that this answer lacks.
    if (Status !== NOERROR) return null;
    return Answer.filter((record) => record.type === TYPES[type])
      .slice(0, RECORDS_MAX)
      .map(({ data }) => plainText(type, data));
  } catch {
    return null;
  }
}

/** A record's data in one form, whatever the resolver's spelling. */
function plainText(type: RecordType, data: string): string {
  if (type === 'TXT') return unquote(data);
  if (type === 'CAA') return readCaa(data);
  return data.trim().toLowerCase().replace(/\.$/, '');
}

/** A TXT record consists of strings of up to 255 bytes, which belong together (RFC 7208 §3.3). */
function unquote(data: string): string {
  const parts = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)];
  if (parts.length === 0) return data.trim();
  return parts.map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1')).join('');
}

/** `issue letsencrypt.org`, also from the form for unknown types (RFC 3597 §5): `\# 22 00 05 …`. */
function readCaa(data: string): string {
  const hex = /^\\#\s+\d+\s+([0-9a-f\s]+)$/i.exec(data)?.[1];
  if (hex !== undefined) {
    const bytes = [...hex.replaceAll(/\s/g, '').matchAll(/../g)].map(([pair]) =>
      parseInt(pair, 16),
    );
    const [, length = 0] = bytes;
    const text = String.fromCharCode(...bytes.slice(2));
    return `${text.slice(0, length)} ${text.slice(length)}`.toLowerCase();
  }
  const [, tag = '', value = ''] = /^\d+\s+(\w+)\s+"?([^"]*)"?$/.exec(data.trim()) ?? [];
  return `${tag} ${value}`.toLowerCase();
}
