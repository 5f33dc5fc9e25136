import type { HostReason } from '#worker/messages/api-errors.ts';

/** Parses published lists of harmful hosts. Hosts get the spelling in which links are compared. */

export type HostCheck = { ok: true; host: string } | { ok: false; reason: HostReason };
export type ListEntry = { kind: 'host' | 'target'; value: string };
export type ParsedList = {
  entries: ListEntry[];
  refused: { line: number; text: string; reason: HostReason }[];
};

/** Names that a hosts file maps to the local machine. */
const LOCAL_NAMES =
  /^(localhost(\.localdomain|6.*|4.*)?|local|broadcasthost|0\.0\.0\.0|ip6-[a-z]+|.*\.localdomain)$/;
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]+)$/i;
const REFUSED_TEXT_MAX = 100;

/**
 * Returns a host in the spelling of the URL parser, without a trailing dot. Accepts upper case,
 * Unicode, a trailing dot and a leading `*.`; rejects text that is not a host, and names that would
 * block a whole top-level domain.
 */
export function normalizeHost(text: string): HostCheck {
  const bare = text.trim().replace(/^\*?\./, '');
  if (bare === '' || /[\s/?#@\\%]/.test(bare)) return { ok: false, reason: 'not_a_host' };
  let url: URL;
  try {
    url = new URL(`http://${ADDRESS.test(bare) && bare.includes(':') ? `[${bare}]` : bare}`);
  } catch {
    return { ok: false, reason: 'not_a_host' };
  }
  if (url.port !== '') return { ok: false, reason: 'has_port' };
  const host = url.hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return { ok: true, host };
  if (host.split('.').some((label) => label === '' || label.length > 63) || host.length > 253)
    return { ok: false, reason: 'not_a_host' };
  if (!host.includes('.'))
    return {
      ok: false,
      reason: 'no_dot',
    };
  return { ok: true, host };
}

/**
 * Parses a blocklist: one host per line, comments after `#` or `!`, hosts files (`0.0.0.0
 * evil.example`), filter lists (`||evil.example^`) and URLs (`https://evil.example/page` blocks
 * this exact target). Rejects `protectedHosts` (our own) and their parent domains. Line numbers
 * start at 1.
 */
export function parseHostList(text: string, protectedHosts: readonly string[]): ParsedList {
  const entries = new Map<string, ListEntry>();
  const refused: ParsedList['refused'] = [];
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    for (const word of wordsOf(raw)) {
      const entry = entryOf(word);
      const problem = 'reason' in entry ? entry.reason : problemOf(entry, protectedHosts);
      if (problem !== null)
        refused.push({ line: index + 1, text: word.slice(0, REFUSED_TEXT_MAX), reason: problem });
      else if (!('reason' in entry)) entries.set(`${entry.kind} ${entry.value}`, entry);
    }
  }
  return { entries: [...entries.values()], refused };
}

function wordsOf(line: string): string[] {
  const text = line.replace(/(^|\s)[#!].*$/, '').trim();
  if (text === '') return [];
  const words = text.split(/\s+/);
  const isHostsFile = words.length > 1 && ADDRESS.test(words[0] ?? '');
  return isHostsFile
    ? words.slice(1).filter((word) => !LOCAL_NAMES.test(word.toLowerCase()))
    : words;
}

function entryOf(word: string): ListEntry | { reason: HostReason } {
  if (/^https?:\/\//i.test(word)) {
    try {
      return { kind: 'target', value: new URL(word).href };
    } catch {
      return { reason: 'not_a_url' };
    }
  }
  const check = normalizeHost(word.replace(/^\|\|/, '').replace(/\^.*$/, ''));
  return check.ok ? { kind: 'host', value: check.host } : { reason: check.reason };
}

function problemOf(entry: ListEntry, protectedHosts: readonly string[]): HostReason | null {
  if (entry.kind === 'target') return null;
  const ours = protectedHosts.some(
    (host) => host === entry.value || host.endsWith(`.${entry.value}`),
  );
  return ours ? 'own_host' : null;
}

/**
 * Returns a host and its parent domains: `a.b.example.com.` → `a.b.example.com`, `b.example.com`,
 * `example.com`, `com`. An IP literal has none.
 */
export function hostSuffixes(hostname: string): string[] {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return [host];
  const labels = host.split('.');
  return labels.map((_, i) => labels.slice(i).join('.'));
}
