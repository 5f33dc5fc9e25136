/** Hosts as lists of harmful addresses name them, brought into the one form that links are compared in. */

export type HostCheck = { ok: true; host: string } | { ok: false; why: string };
export type ListEntry = { kind: 'host' | 'target'; value: string };
export type ParsedList = { entries: ListEntry[]; refused: { line: number; text: string; why: string }[] };

/** Names that a hosts file gives to the machine itself. */
const OF_THE_MACHINE = /^(localhost(\.localdomain|6.*|4.*)?|local|broadcasthost|0\.0\.0\.0|ip6-[a-z]+|.*\.localdomain)$/;
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]+)$/i;
const REFUSED_TEXT_MAX = 100;

/**
 * A host in any spelling (upper case, Unicode, trailing dot, leading `*.`) as the URL parser writes it, without the dot.
 * Refuses what is not a host and what would catch a whole top-level domain.
 */
export function normaliseHost(text: string): HostCheck {
  const bare = text.trim().replace(/^\*?\./, '');
  if (bare === '' || /[\s/?#@\\%]/.test(bare)) return { ok: false, why: 'This is not a host name.' };
  let url: URL;
  try {
    url = new URL(`http://${ADDRESS.test(bare) && bare.includes(':') ? `[${bare}]` : bare}`);
  } catch {
    return { ok: false, why: 'This is not a host name.' };
  }
  if (url.port !== '') return { ok: false, why: 'Give the host without a port.' };
  const host = url.hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return { ok: true, host };
  if (host.split('.').some((label) => label === '' || label.length > 63) || host.length > 253)
    return { ok: false, why: 'This is not a host name.' };
  if (!host.includes('.')) return { ok: false, why: 'A name without a dot would catch a whole top-level domain.' };
  return { ok: true, host };
}

/**
 * Reads a list of harmful addresses: one host a line, `#` or `!` starts a comment, hosts files (`0.0.0.0 evil.example`),
 * filter lists (`||evil.example^`) and whole addresses (`https://evil.example/page`: this exact target) are understood.
 * `protectedHosts` (our own) and their parents are refused. Lines are counted from 1.
 */
export function parseHostList(text: string, protectedHosts: readonly string[]): ParsedList {
  const entries = new Map<string, ListEntry>();
  const refused: ParsedList['refused'] = [];
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    for (const word of wordsOf(raw)) {
      const entry = entryOf(word);
      const fault = 'why' in entry ? entry.why : faultOf(entry, protectedHosts);
      if (fault !== null) refused.push({ line: index + 1, text: word.slice(0, REFUSED_TEXT_MAX), why: fault });
      else if (!('why' in entry)) entries.set(`${entry.kind} ${entry.value}`, entry);
    }
  }
  return { entries: [...entries.values()], refused };
}

function wordsOf(line: string): string[] {
  const text = line.replace(/(^|\s)[#!].*$/, '').trim();
  if (text === '') return [];
  const words = text.split(/\s+/);
  const isHostsFile = words.length > 1 && ADDRESS.test(words[0] ?? '');
  return isHostsFile ? words.slice(1).filter((word) => !OF_THE_MACHINE.test(word.toLowerCase())) : words;
}

function entryOf(word: string): ListEntry | { why: string } {
  if (/^https?:\/\//i.test(word)) {
    try {
      return { kind: 'target', value: new URL(word).href };
    } catch {
      return { why: 'This is not an address.' };
    }
  }
  const check = normaliseHost(word.replace(/^\|\|/, '').replace(/\^.*$/, ''));
  return check.ok ? { kind: 'host', value: check.host } : { why: check.why };
}

function faultOf(entry: ListEntry, protectedHosts: readonly string[]): string | null {
  if (entry.kind === 'target') return null;
  const ours = protectedHosts.some((host) => host === entry.value || host.endsWith(`.${entry.value}`));
  return ours ? 'This is our own host.' : null;
}

/** `a.b.example.com.` → `a.b.example.com`, `b.example.com`, `example.com`, `com`. An IP literal has only itself. */
export function hostSuffixes(hostname: string): string[] {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return [host];
  const labels = host.split('.');
  return labels.map((_, i) => labels.slice(i).join('.'));
}
