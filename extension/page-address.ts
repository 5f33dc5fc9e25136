import { SITE_NAME } from '#contract/site.ts';

/** The page to shorten. A menu passes it as the query of the popup's address. */
export type GivenPage = { url: string; title: string };

/** Returns the page to shorten: the one that a menu has passed, or that of the current tab. */
export async function readGivenPage(search: string): Promise<GivenPage> {
  const given = new URLSearchParams(search);
  const url = given.get('url');
  if (url !== null) return { url, title: given.get('title') ?? '' };
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return { url: tab?.url ?? '', title: tab?.title ?? '' };
}

/**
 * Returns why the address of a tab cannot be shortened, as a sentence; null if it can. `hosts` are
 * those of the installation.
 */
export function rejectAddress(address: string, hosts: readonly string[]): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'This tab has no web address. Paste the address of a page.';
  if (hosts.includes(url.host))
    return `This page is part of ${SITE_NAME}, so it cannot be shortened. Paste another address.`;
  return null;
}
