import type { CountsByName } from '#contract/analytics.ts';

/** A site with several hosts or a name that its host does not say. */
type Site = { name: string; hosts: readonly string[]; glyph: GlyphName };

export type GlyphName =
  | 'bluesky'
  | 'chat'
  | 'discord'
  | 'facebook'
  | 'github'
  | 'hacker-news'
  | 'instagram'
  | 'linkedin'
  | 'mail'
  | 'mastodon'
  | 'medium'
  | 'news'
  | 'pinterest'
  | 'qr'
  | 'reddit'
  | 'search'
  | 'slack'
  | 'telegram'
  | 'threads'
  | 'tiktok'
  | 'whatsapp'
  | 'wikipedia'
  | 'x'
  | 'youtube';

const site = (name: string, glyph: GlyphName, ...hosts: string[]): Site => ({ name, glyph, hosts });

const SITES: readonly Site[] = [
  site('Bluesky', 'bluesky', 'bsky.app', 'go.bsky.app'),
  site('Bing', 'search', 'bing.com'),
  site('ChatGPT', 'chat', 'chatgpt.com', 'chat.openai.com'),
  site('Claude', 'chat', 'claude.ai'),
  site('Discord', 'discord', 'discord.com', 'discordapp.com', 'discord.gg'),
  site('DuckDuckGo', 'search', 'duckduckgo.com'),
  site('Ecosia', 'search', 'ecosia.org'),
  site('Facebook', 'facebook', 'facebook.com', 'fb.com', 'fb.me', 'messenger.com'),
  site('GitHub', 'github', 'github.com', 'gist.github.com'),
  site('Gmail', 'mail', 'mail.google.com', 'com.google.android.gm'),
  site('Google News', 'news', 'news.google.com'),
  site('Hacker News', 'hacker-news', 'news.ycombinator.com', 'hckrnews.com'),
  site('Instagram', 'instagram', 'instagram.com'),
  site('LinkedIn', 'linkedin', 'linkedin.com', 'lnkd.in', 'com.linkedin.android'),
  site('Mastodon', 'mastodon', 'mastodon.social', 'mastodon.online', 'fosstodon.org'),
  site('Medium', 'medium', 'medium.com'),
  site('Outlook', 'mail', 'outlook.live.com', 'outlook.office.com', 'outlook.office365.com'),
  site('Perplexity', 'chat', 'perplexity.ai'),
  site('Pinterest', 'pinterest', 'pinterest.com', 'pin.it'),
  site('Reddit', 'reddit', 'reddit.com', 'redd.it', 'com.reddit.frontpage'),
  site('Slack', 'slack', 'slack.com', 'app.slack.com', 'com.slack'),
  site('Substack', 'mail', 'substack.com'),
  site(
    'Telegram',
    'telegram',
    't.me',
    'telegram.org',
    'web.telegram.org',
    'org.telegram.messenger',
  ),
  site('Threads', 'threads', 'threads.net', 'threads.com'),
  site('TikTok', 'tiktok', 'tiktok.com'),
  site('WhatsApp', 'whatsapp', 'whatsapp.com', 'web.whatsapp.com', 'wa.me', 'com.whatsapp'),
  site('Wikipedia', 'wikipedia', 'wikipedia.org', 'en.wikipedia.org'),
  site('X', 'x', 'x.com', 'twitter.com', 't.co'),
  site('Yahoo Mail', 'mail', 'mail.yahoo.com'),
  site('YouTube', 'youtube', 'youtube.com', 'youtu.be'),
];

const SITE_OF_HOST = new Map(SITES.flatMap((one) => one.hosts.map((host) => [host, one] as const)));

/** Hosts of the same site for phones, for leaving it, and for an older layout. */
const SUBDOMAIN = /^(?:www\d?|m|l|lm|mobile|old|new|out|amp|link|away)\.(?=[^.]+\.)/;
/** Google's search has a host in each country. */
const GOOGLE = /^google\.(?:com?\.)?[a-z]{2,3}$/;

/** `key` is the same for the hosts of one site. */
export type Source = { key: string; name: string; glyph: GlyphName | null };

/** Returns the site of a referrer's host as people say it: 'X' for 't.co'. */
export function sourceOf(host: string): Source {
  const whole = SITE_OF_HOST.get(host);
  const short = host.replace(SUBDOMAIN, '');
  const known = whole ?? SITE_OF_HOST.get(short);
  if (known !== undefined) return { key: known.name, name: known.name, glyph: known.glyph };
  if (GOOGLE.test(short)) return { key: 'Google', name: 'Google', glyph: 'search' };
  return { key: short, name: short, glyph: null };
}

export type SourceRow = Source & { clicks: number; hosts: string[] };

/** Sums the hosts of each site, most clicks first. */
export function groupSources(counts: CountsByName): SourceRow[] {
  const rows = new Map<string, SourceRow>();
  for (const [host, clicks] of Object.entries(counts)) {
    const source = sourceOf(host);
    const row = rows.get(source.key) ?? { ...source, clicks: 0, hosts: [] };
    row.clicks += clicks;
    row.hosts.push(host);
    rows.set(source.key, row);
  }
  return [...rows.values()].sort((a, b) => b.clicks - a.clicks || a.name.localeCompare(b.name));
}
