import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { aggregateClicks } from '#worker/clicks/fold/aggregate-clicks.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { createUserAgentParser } from '#worker/http/user-agent.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { UA_BOT, UA_CHROME, UA_IPHONE } from '#worker/testing/clicks.ts';
import { d1Down } from '#worker/testing/faults.ts';
import { storeLink, UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';

const CARD = { title: 'Summer sale', description: 'Until August.', image: '' };
const QUICK = { CLICK_WINDOW_MS: '1' };
const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';

async function storeCard(
  given: Parameters<typeof storeLink>[0] = {},
  card: Partial<typeof CARD> = {},
): Promise<{ code: string; id: number; target: string }> {
  const link = await storeLink({ ...given, isPublished: false });
  const { title, description, image } = { ...CARD, ...card };
  await env.DB.batch([
    env.DB.prepare('UPDATE links SET card_at = 1 WHERE id = ?').bind(link.id),
    env.DB.prepare(
      'INSERT INTO link_cards (link_id, title, description, image) VALUES (?, ?, ?, ?)',
    ).bind(link.id, title, description, image),
  ]);
  await publishLinks(env, [link.id], Date.now());
  return link;
}

const visit = (code: string, userAgent: string, over: Partial<Env> = {}, method = 'GET') =>
  call(`/${code}`, { method, headers: { 'User-Agent': userAgent } }, over);

/** The tags of a page, as a program that builds cards reads them. */
async function tagsOf(response: Response): Promise<Record<string, string>> {
  const tags: Record<string, string> = {};
  const rewriter = new HTMLRewriter().on('meta', {
    element(meta) {
      const name = meta.getAttribute('property') ?? meta.getAttribute('name');
      if (name !== null) tags[name] = meta.getAttribute('content') ?? '';
    },
  });
  await rewriter.transform(response).text();
  return tags;
}

/** https://developers.facebook.com/docs/sharing/webmasters/web-crawlers and those of other networks. */
const CARD_BUILDERS = [
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  // Apple's Messages, LINE and KakaoTalk.
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'facebookexternalhit/1.1;line-poker/1.0',
  'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
  'Facebot/1.0',
  'Twitterbot/1.0',
  'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
  'Iframely/1.3.1 (+https://iframely.com/docs/about)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  SLACK,
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'WhatsApp/2.23.20.0 A',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mastodon/4.4.1 (http.rb/5.2.0; +https://mastodon.example/)',
  'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
  'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
  'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) ViberUrlDownloader',
  'Mozilla/5.0 Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)',
];

/** People, also in the browsers of such apps, and programs that must see where a link leads. */
const REDIRECTED = [
  UA_CHROME,
  UA_IPHONE,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/480.0]',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari Line/14.2.0/IAB',
  'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36 Viber/25.1.0.0',
  'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36 WhatsApp',
  'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 [Pinterest/Android]',
  UA_BOT,
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (compatible; urlscan/1.0; +https://urlscan.io)',
  'VirusTotalCloud/1.0',
  'Google-Safety',
  'curl/8.9.1',
  '',
];

describe('the card of a link', () => {
  it('a card is shown to programs that build cards', async () => {
    const { code } = await storeCard();
    for (const agent of CARD_BUILDERS) {
      const response = await visit(code, agent, QUICK);
      expect(response.status, agent).toBe(200);
      expect(await tagsOf(response), agent).toMatchObject({ 'og:title': 'Summer sale' });
    }
  });

  it('[T10] people, search engines and scanners are redirected without a read of D1', async () => {
    const { code, target } = await storeCard();
    for (const agent of REDIRECTED) {
      for (const LINK_MEMORY_MS of ['0', '5000']) {
        const response = await visit(code, agent, { ...QUICK, DB: UNTOUCHABLE_DB, LINK_MEMORY_MS });
        const answer = [response.status, response.headers.get('Location')];
        expect(answer, agent).toEqual([302, target]);
      }
    }
  });

  it('a card has tags, the host of the destination as text, and a plain link', async () => {
    const image = `${'a'.repeat(64)}.png`;
    const target = 'https://xn--bcher-kva.example/a?b=1&c="';
    const { code } = await storeCard({ target: new URL(target).href }, { image });
    const response = await visit(code, SLACK);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      vary: 'User-Agent',
    });
    const html = await response.clone().text();
    expect(html).toContain(
      '<p>Until August.</p>\n<p>This link goes to <a href="https://xn--bcher-kva.example/a?b=1&amp;c=%22" rel="noreferrer nofollow ugc">bücher.example</a></p>',
    );
    expect(await tagsOf(response)).toEqual({
      robots: 'noindex',
      description: 'bücher.example · Until August.',
      'og:type': 'website',
      'og:title': 'Summer sale',
      'og:description': 'bücher.example · Until August.',
      'og:url': `${ORIGIN}/${code}`,
      'og:site_name': 'bücher.example',
      'og:image': `${ORIGIN}/api/card-pictures/${image}`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'Summer sale',
      'twitter:card': 'summary_large_image',
    });
  });

  it('[T10] a hostile title stays text', async () => {
    const title =
      '"><script>alert(1)</script><meta property="og:site_name" content="bank.example">';
    const { code } = await storeCard({}, { title, description: `'</body>&lt;` });
    const response = await visit(code, SLACK);
    const html = await response.clone().text();
    expect(html.match(/<(script|meta property="og:site_name")/g)).toEqual([
      '<meta property="og:site_name"',
    ]);
    expect(await tagsOf(response)).toMatchObject({ 'og:site_name': 'example.com' });
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  });

  it('a card with a title alone has the host below it, whatever the rules', async () => {
    const rules = [{ if: { country: ['BR'] }, to: 'https://example.com/br' }];
    const target = 'https://default.example/';
    const { code } = await storeCard({ rules, target }, { description: '' });
    const headers = { 'User-Agent': SLACK };
    const response = await call(`/${code}`, { headers, cf: { country: 'BR' } });
    expect(await response.clone().text()).toContain('</h1>\n<p>This link goes to ');
    expect(await tagsOf(response)).toMatchObject({
      'og:site_name': 'default.example',
      'og:description': 'default.example',
      'twitter:card': 'summary',
    });
  });

  it.each([
    ['disabled', { status: 'disabled' }, 410],
    ['ended', { expiresAt: Date.now() - HOUR_MS }, 410],
    ['not started yet', { startsAt: Date.now() + HOUR_MS }, 404],
  ] as const)('a link that is %s shows none', async (_name, given, status) => {
    const { code } = await storeCard(given);
    const response = await visit(code, SLACK);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('Summer sale');
  });

  it('an ended link with a fallback shows none, and leads there', async () => {
    const fallbackUrl = 'https://after.example/';
    const { code } = await storeCard({ expiresAt: Date.now() - DAY_MS, fallbackUrl });
    expect((await visit(code, SLACK)).headers.get('Location')).toBe(fallbackUrl);
  });

  it.each([
    ['password', { password: 'hash' }, 'Link with a password'],
    ['click limit', { clickLimit: 1 }, 'Link with a click limit'],
  ])('[T73] with a %s it says only that, without a read of D1', async (_name, given, title) => {
    const target = 'https://secret.example/';
    const card = { title: 'Secret', description: 'Secret', image: `${'a'.repeat(64)}.png` };
    const { code } = await storeCard({ ...given, target }, card);
    for (const LINK_MEMORY_MS of ['0', '5000', '5000']) {
      const response = await visit(code, SLACK, { ...QUICK, DB: UNTOUCHABLE_DB, LINK_MEMORY_MS });
      expect(response.status).toBe(200);
      const shown = JSON.stringify([...response.headers]) + (await response.clone().text());
      expect(shown).not.toMatch(/secret|card-pictures/i);
      const host = new URL(ORIGIN).host;
      expect(await tagsOf(response)).toMatchObject({ 'og:title': title, 'og:site_name': host });
    }
    const person = await visit(code, UA_CHROME, QUICK);
    expect(person.status).toBe('clickLimit' in given ? 302 : 200);
  });

  it('a card is read from the edge cache until the link changes', async () => {
    const { code, id } = await storeCard();
    await visit(code, SLACK);
    const cached = await visit(code, SLACK, { DB: UNTOUCHABLE_DB });
    expect(await tagsOf(cached)).toMatchObject({ 'og:title': 'Summer sale' });
    await env.DB.batch([
      env.DB.prepare("UPDATE link_cards SET title = 'Winter sale' WHERE link_id = ?").bind(id),
      env.DB.prepare('UPDATE links SET version = version + 1 WHERE id = ?').bind(id),
    ]);
    await publishLinks(env, [id], Date.now());
    expect(await tagsOf(await visit(code, SLACK))).toMatchObject({ 'og:title': 'Winter sale' });
  });

  it('a card is replaced by the redirect if it is missing or cannot be read', async () => {
    const { code, id, target } = await storeCard();
    const down = await visit(code, SLACK, { DB: d1Down(env.DB) });
    expect(down.headers.get('Location')).toBe(target);
    await env.DB.prepare('DELETE FROM link_cards WHERE link_id = ?').bind(id).run();
    expect((await visit(code, SLACK)).headers.get('Location')).toBe(target);
  });

  it('counts as a prefetch, never as a click, and a HEAD not at all', async () => {
    const { code, id } = await storeCard();
    const windows: ClickWindow[] = [];
    const CLICKS = withMethods(env.CLICKS, {
      send: (window: ClickWindow) => Promise.resolve(void windows.push(window)),
    });
    const over = { CLICK_WINDOW_MS: '1', CLICKS: Object(CLICKS) };
    expect(await (await visit(code, 'WhatsApp/2.23.20.0 A', over, 'HEAD')).text()).toBe('');
    await visit(code, 'WhatsApp/2.23.20.0 A', over);
    const [day] = aggregateClicks(windows, createUserAgentParser()).get(id)?.days.values() ?? [];
    expect(day?.counts).toMatchObject({ human: 0, bot: 0, prefetch: 1 });
  });
});
