import { isWithinDomain } from '#worker/safety/shorteners.ts';
import { unicodeHost } from '#worker/safety/unicode-host.ts';

/** Names that phishing imitates most. Their owners can prove their own domains. */
const KNOWN_NAMES: ReadonlySet<string> = new Set(
  `adobe airbnb alibaba aliexpress allegro amazon americanexpress apple appleid binance bitcoin blockchain
  chase citibank cloudflare coinbase costco dhl discord docusign dropbox ebay facebook fedex github gmail google
  hsbc icloud instagram intuit kraken ledger linkedin mastercard metamask microsoft netflix office365 onedrive
  outlook paypal roblox samsung sharepoint shopify spotify steam stripe telegram tiktok trezor twitter usps visa
  walmart wellsfargo whatsapp wikipedia yahoo youtube zoom`.split(/\s+/),
);

/** Spellings that look like another letter. */
const SIMILAR: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/0/g, 'o'],
  [/[1i|]/g, 'l'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
];

/** A literal would load the tables of Unicode when the Worker starts. */
const ACCENTS = new RegExp(String.raw`\p{M}`, 'gu');

const fold = (text: string): string =>
  SIMILAR.reduce(
    (folded, [from, to]) => folded.replace(from, to),
    text.normalize('NFKD').replaceAll(ACCENTS, ''),
  );

const FOLDED_NAMES: ReadonlySet<string> = new Set([...KNOWN_NAMES].map(fold));

/**
 * True if a host imitates one of our own or a well-known name: in another spelling (`paypa1.com`)
 * or as a word of a longer label (`paypal-login.com`, `paypal.example.com`).
 */
export function imitatesName(host: string, ownHosts: readonly string[]): boolean {
  const shown = unicodeHost(host);
  if (ownHosts.some((own) => !isWithinDomain(host, own) && fold(shown) === fold(unicodeHost(own))))
    return true;
  const labels = shown.split('.').slice(0, -1);
  const registered = labels.findLast((label) => label.length > 3) ?? '';
  return labels.some((label) => {
    // The owner of `paypal.com` may prove `go.paypal.com`.
    if (label === registered && KNOWN_NAMES.has(label)) return false;
    return [label, ...label.split('-')].some((word) => FOLDED_NAMES.has(fold(word)));
  });
}
