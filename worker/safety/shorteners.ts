/**
 * Public link shorteners. A link through two shorteners hides its target from every check
 * (SECURITY.md T6). Shorteners that only link to their own brand's pages (youtu.be, amzn.to) are
 * not listed.
 */
const KNOWN = [
  'adf.ly', 'adfoc.us', 'b.link', 'bc.vc', 'bit.do', 'bit.ly', 'bitly.com', 'bl.ink', 'buff.ly', 'chilp.it', 'clck.ru', 'cli.gs',
  'cutt.ly', 'cutt.us', 'da.gd', 'dub.sh', 'exe.io', 'fc.lc', 'gg.gg', 'go2l.ink', 'goo.gl', 'goo.su', 'hyperurl.co', 'is.gd', 'j.mp',
  'kutt.it', 'kutt.to', 'link.do', 'linktw.in', 'n9.cl', 'ouo.io', 'ow.ly', 'ply.by', 'po.st', 'qps.ru', 'rb.gy', 'rebrand.ly', 'rlu.ru',
  's.id', 'short.gy', 'short.io', 'shorte.st', 'shorten.ly', 'shorturl.at', 'shorturl.com', 'shrinke.me', 'shrtco.de', 'snip.ly',
  'soo.gd', 'surl.li', 't.co', 't.ly', 't2m.io', 'tiny.cc', 'tiny.one', 'tiny.pl', 'tinyurl.com', 'tny.im', 'tr.im', 'trib.al', 'u.to',
  'ulvis.net', 'urlz.fr', 'v.gd', 'v.ht', 'vk.cc', 'w.wiki', 'x.co', 'x.gd', 'y2u.be', 'zpr.io', 'zws.im',
]; // prettier-ignore

/** Subdomains of known shorteners that only link to their owner's pages. */
const ALLOWED_SUBDOMAINS = ['app.goo.gl'];

/** True if `host` is `domain` or a subdomain of it. Both lower-case, without a trailing dot. */
export const isWithinDomain = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`);

/**
 * Returns the shorteners that no link may target, subdomains included: the list above, changed by
 * `configured` (BLOCKED_SHORTENERS: hosts separated by commas or spaces; `-host` removes a host).
 */
export function shortenerHosts(configured: string): ReadonlySet<string> {
  const hosts = new Set(KNOWN);
  for (const word of configured.toLowerCase().split(/[\s,]+/)) {
    if (word.startsWith('-')) hosts.delete(word.slice(1));
    else if (word !== '') hosts.add(word);
  }
  return hosts;
}

export function isShortener(host: string, hosts: ReadonlySet<string>): boolean {
  if (ALLOWED_SUBDOMAINS.some((domain) => isWithinDomain(host, domain))) return false;
  const labels = host.split('.');
  return labels.some((_, i) => hosts.has(labels.slice(i).join('.')));
}
