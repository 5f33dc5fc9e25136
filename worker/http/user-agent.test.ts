import { describe, expect, it } from 'vitest';
import { UA_BOT, UA_CHROME, UA_IPHONE } from '#worker/testing/clicks.ts';
import { createUserAgentParser } from './user-agent.ts';

describe('browsers', () => {
  it.each([
    [UA_CHROME, 'Desktop', 'Chrome', 'Windows'],
    [UA_IPHONE, 'Mobile', 'Mobile Safari', 'iOS'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'Desktop',
      'Safari',
      'Mac OS',
    ],
    [
      'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
      'Desktop',
      'Firefox',
      'Ubuntu',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36',
      'Desktop',
      'Chrome',
      'Chromium OS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36 Edg/128.0.0.0',
      'Desktop',
      'Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile Safari/537.36',
      'Mobile',
      'Chrome',
      'Android',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
      'Tablet',
      'Mobile Safari',
      'iOS',
    ],
    [
      'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV Safari/537.36',
      'TV',
      'Safari',
      'Tizen',
    ],
    [
      'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
      'Console',
      'Safari',
      'PlayStation',
    ],
    [
      'Mozilla/5.0 (Linux; Android 11; SM-R870) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/120.0.0.0 Mobile Safari/537.36',
      'Wearable',
      'Samsung Internet',
      'Android',
    ],
    ['Mozilla/5.0 (something new)', 'Other', 'Other', 'Other'],
  ])('parses %s', (ua, device, browser, os) => {
    expect(createUserAgentParser()(ua)).toEqual({ bot: false, device, browser, os });
  });
});

describe('[T36] bots', () => {
  it.each([
    UA_BOT,
    '',
    '   ',
    'curl/8.9.1',
    'python-requests/2.32.3',
    'Go-http-client/2.0',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Twitterbot/1.0',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'WhatsApp/2.23.20.0',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/128.0.0.0 Safari/537.36',
    'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    'TelegramBot (like TwitterBot)',
    'Discordbot/2.0',
  ])('[T36] recognizes %j', (ua) => {
    expect(createUserAgentParser()(ua).bot).toBe(true);
  });
});

describe('createUserAgentParser', () => {
  it('parses each text once', () => {
    const parse = createUserAgentParser();
    expect(parse(UA_CHROME)).toBe(parse(UA_CHROME));
  });

  it('parses only the first 400 characters', () => {
    const parse = createUserAgentParser();
    expect(parse(`${'x'.repeat(400)} ${UA_CHROME}`)).toMatchObject({ browser: 'Other' });
    expect(parse(`${UA_CHROME} ${'x('.repeat(50_000)}`)).toMatchObject({
      bot: false,
      browser: 'Chrome',
    });
  });
});
