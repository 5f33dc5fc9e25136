/**
 * Common names for some values of the user-agent parser. Stored values keep the names of the
 * parser.
 */
const SYSTEMS: Readonly<Record<string, string>> = {
  'Mac OS': 'macOS',
  'Chromium OS': 'ChromeOS',
};

const BROWSERS: Readonly<Record<string, string>> = {
  'Android Browser': 'Android browser',
  'Chrome Headless': 'Chrome (headless)',
  'Chrome WebView': 'In an Android app',
  'MIUI Browser': 'Xiaomi browser',
  'Mobile Safari': 'Safari (mobile)',
  'Opera Mobi': 'Opera (mobile)',
  Facebook: 'Facebook app',
  GSA: 'Google app',
  IE: 'Internet Explorer',
  IEMobile: 'Internet Explorer (mobile)',
  Instagram: 'Instagram app',
  Line: 'LINE app',
  LinkedIn: 'LinkedIn app',
  QQBrowser: 'QQ Browser',
  Snapchat: 'Snapchat app',
  TikTok: 'TikTok app',
  UCBrowser: 'UC Browser',
  WeChat: 'WeChat app',
  WebKit: 'In an iOS app',
};

const nameIn =
  (names: Readonly<Record<string, string>>) =>
  (value: string): string =>
    Object.hasOwn(names, value) ? (names[value] ?? value) : value;

export const systemName = nameIn(SYSTEMS);
export const browserName = nameIn(BROWSERS);
