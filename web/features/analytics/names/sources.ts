/** A site that has several hosts, or a name that differs from its host. */
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
  site(
    'Reddit',
    'reddit',
    'reddit.com',
    'old.reddit.com',
    'out.reddit.com',
    'redd.it',
    'com.reddit.frontpage',
  ),
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

/** Google's search has a host in each country. */
const GOOGLE = /^google\.(?:com?\.)?[a-z]{2,3}$/;

/** Returns the site of a referrer's host as people say it: 'X' for 't.co'. */
export function sourceSite(host: string): { name: string; glyph: GlyphName | null } {
  const known = SITE_OF_HOST.get(host);
  if (known !== undefined) return known;
  return GOOGLE.test(host) ? { name: 'Google', glyph: 'search' } : { name: host, glyph: null };
}
