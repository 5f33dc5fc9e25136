import { describe, expect, it } from 'vitest';
import { shortenerHosts } from './shorteners.ts';
import { POLICY_MESSAGES, type PolicyReason } from '#worker/messages/links.ts';
import { checkTarget, type TargetPolicy } from './target.ts';

const policy: TargetPolicy = {
  ownHosts: ['hop.example', 'go.hop.example', 'xn--bcher-kva.example'],
  shorteners: shortenerHosts('corp-links.example, -is.gd'),
};
const check = (raw: string) => checkTarget(raw, policy);

const VALID: [raw: string, href: string, host: string][] = [
  ['https://example.com', 'https://example.com/', 'example.com'],
  ['  https://example.com/a?b=c#d\n', 'https://example.com/a?b=c#d', 'example.com'],
  ['example.com', 'https://example.com/', 'example.com'],
  ['example.com/path?q=https://x.y', 'https://example.com/path?q=https://x.y', 'example.com'],
  ['example.com:8080/x', 'https://example.com:8080/x', 'example.com'],
  ['//example.com/x', 'https://example.com/x', 'example.com'],
  ['HTTP://EXAMPLE.COM/UP', 'http://example.com/UP', 'example.com'],
  ['https:example.com', 'https://example.com/', 'example.com'],
  ['https://example.com./', 'https://example.com./', 'example.com'],
  [
    'https://bücher.example.org/ü?ö=ä#ß',
    'https://xn--bcher-kva.example.org/%C3%BC?%C3%B6=%C3%A4#%C3%9F',
    'xn--bcher-kva.example.org',
  ],
  ['https://пример.рф/', 'https://xn--e1afmkfd.xn--p1ai/', 'xn--e1afmkfd.xn--p1ai'],
  ['https://вѕё.ru/', 'https://xn--b1a6dl.ru/', 'xn--b1a6dl.ru'],
  ['https://faß.de', 'https://xn--fa-hia.de/', 'xn--fa-hia.de'],
  ['https://💩.la', 'https://xn--ls8h.la/', 'xn--ls8h.la'],
  ['https://日本語.jp', 'https://xn--wgv71a119e.jp/', 'xn--wgv71a119e.jp'],
  ['https://8.8.8.8/', 'https://8.8.8.8/', '8.8.8.8'],
  ['https://134744072/', 'https://8.8.8.8/', '8.8.8.8'],
  [
    'https://[2606:4700:4700::1111]:8443/',
    'https://[2606:4700:4700::1111]:8443/',
    '[2606:4700:4700::1111]',
  ],
  ['https://exa­mple.com/', 'https://example.com/', 'example.com'],
  ['https://exa%6dple.com/', 'https://example.com/', 'example.com'],
  ['https://nothop.example/', 'https://nothop.example/', 'nothop.example'],
  ['https://is.gd/x', 'https://is.gd/x', 'is.gd'],
  ['https://maps.app.goo.gl/x', 'https://maps.app.goo.gl/x', 'maps.app.goo.gl'],
  ['https://youtu.be/x', 'https://youtu.be/x', 'youtu.be'],
  [
    'https://example.com/%0d%0aSet-Cookie:x=1',
    'https://example.com/%0d%0aSet-Cookie:x=1',
    'example.com',
  ],
  ['https://example.com/\u2028x', 'https://example.com/%E2%80%A8x', 'example.com'],
  ['https://example.com/a b', 'https://example.com/a%20b', 'example.com'],
  ['https:\\\\example.com\\x', 'https://example.com/x', 'example.com'],
];

const INVALID: Record<PolicyReason, string[]> = {
  empty: ['', ' ', '\t\n', '\u00a0'],
  too_long: [`https://example.com/${'a'.repeat(2029)}`, `https://example.com/${'ü'.repeat(400)}`],
  bad_characters: [
    'https://example.com/\ud800',
    'https://example.com/\udc00x',
    'https://exam\tple.com/',
    'java\nscript:alert(1)',
    'https://example.com/\r\nLocation: x',
    'https://example.com/\u0000',
    'https://example.com/\u0085x',
    'https://example.com/\u007fx',
  ],
  not_a_link: ['https://xn--a.com/', 'https://xn--3apply7.example/', 'https://a.xn--pokxncvks/', 'http://', 'https://', 'hello world', 'nonsense', 'nonsense/x', '//nonsense', '/path', '?q', '#x', './x', '\\x', 'https://exa mple.com', 'https://a..example.com/', 'https://example.com../', 'https://[::1', 'https://1.2.3.4.5/', 'https://example.com:99999/', 'https://%00.com', 'https://.example.com/', 'https://256.256.256.256/'], // prettier-ignore
  bad_scheme: [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'javascript://example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'ftp://example.com/',
    'mailto:a@example.com',
    'tel:123',
    'about:blank',
    'ws://example.com',
    'intent://x#Intent;end',
    'view-source:https://example.com',
    'user:pass@example.com',
  ],
  credentials: ['https://bank.com@evil.com', 'https://user:pw@evil.com/', 'https://:pw@evil.com', 'https://bank.com%2f@evil.com/', '//user@evil.com'], // prettier-ignore
  own_host: [
    'https://hop.example/abc',
    'https://HOP.example:8443/abc',
    'hop.example.',
    'https://www.hop.example/',
    'https://go.hop.example/x',
    'https://ｈｏｐ.example/',
    'https://ho%70.example',
    'https://bücher.example',
    'https://hop。example',
  ],
  private_host: ['http://localhost', 'localhost:3000/x', 'LOCALHOST:3000/x', 'https://LOCALHOST./', 'https://a.localhost', 'https://printer.local', 'https://db.internal', 'https://nas.home.arpa', 'https://router', 'intranet/x', 'https://com', 'https://box.lan', 'https://a.corp', 'https://a.home', 'https://a.private', 'https://a.intranet', 'https://a.localdomain'], // prettier-ignore
  private_address: [
    'http://127.0.0.1',
    'http://0x7f.1',
    'http://2130706433',
    'http://017700000001',
    'http://127。0。0。1',
    'http://①②⑦.0.0.1',
    'http://127.1/',
    'http://0/',
    'http://10.1.2.3',
    'http://100.64.0.1',
    'http://169.254.169.254/latest/meta-data',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.1.1',
    'http://192.0.2.1',
    'http://192.0.0.255',
    'http://192.88.99.1',
    'http://100.127.255.255',
    'http://198.18.0.1',
    'http://198.19.255.255',
    'http://198.51.100.1',
    'http://203.0.113.9',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'http://[::]',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:8.8.8.8]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://[2002:7f00:1::]',
    'http://[2001:0:1::1]',
    'http://[2001:db8::1]',
    'http://[3fff::1]',
    'http://[3fff:fff::1]',
    'http://[2001:1ff::1]',
    'http://[fc00::1]',
    'http://[fd12:3456::1]',
    'http://[fe80::1]',
    'http://[fec0::1]',
    'http://[ff02::1]',
    'http://[100::1]',
    'http://[5f00::1]',
    '[::1]:80',
  ],
  host_too_long: [`https://${'a'.repeat(64)}.com`, `https://${'a.'.repeat(126)}com`],
  bad_port: [
    'https://example.com:22/',
    'http://example.com:25',
    'https://example.com:6667/',
    'http://example.com:0/',
  ],
  shortener: ['https://bit.ly/x', 'https://BIT.LY./x', 'https://me.short.gy/x', 'https://goo.gl/x', 'https://corp-links.example/x', 'https://a.corp-links.example/'], // prettier-ignore
  lookalike_host: [
    'https://pаypal.com/',
    'https://аррӏе.com',
    'https://xn--80ak6aa92e.com',
    'https://gοοgle.com/',
    'https://www.аррӏе.com./x',
  ],
};

describe('checkTarget', () => {
  it.each(VALID)('[T12] stores %j as %s', (raw, href, host) => {
    expect(check(raw)).toEqual({ ok: true, target: { href, host } });
  });

  it('every reason has a different message', () => {
    const messages = Object.values(POLICY_MESSAGES);
    expect(new Set(messages).size).toBe(messages.length);
    for (const message of messages) expect(message).toMatch(/\.$/);
  });

  it('[T11] allows exactly 2,048 characters, 63 in a label and 253 in a host', () => {
    expect(check(`https://example.com/${'a'.repeat(2028)}`)).toMatchObject({ ok: true });
    expect(check(`https://example.com/${'a'.repeat(2029)}`)).toMatchObject({ reason: 'too_long' });
    // 2,048 after parsing: each ü becomes six characters.
    const umlauts = 'ü'.repeat(338);
    expect(check(`https://example.com/${umlauts}`)).toMatchObject({ ok: true });
    expect(`https://example.com/${umlauts}`.length).toBeLessThan(2048);
    expect(check(`https://example.com/${umlauts}a`)).toMatchObject({ reason: 'too_long' });
    expect(check(`https://${'a'.repeat(63)}.com`)).toMatchObject({ ok: true });
    const host = `${'a'.repeat(61)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}`;
    expect(host).toHaveLength(253);
    expect(check(`https://${host}`)).toMatchObject({ ok: true, target: { host } });
    expect(check(`https://${host}.`)).toMatchObject({ ok: true, target: { host } });
    expect(check(`https://e${host}`)).toMatchObject({ reason: 'host_too_long' });
  });
});

/** The list of the Fetch standard: https://fetch.spec.whatwg.org/#port-blocking */
const BAD_PORTS = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
];

describe('checkTarget rejects', () => {
  const rejects = (reason: PolicyReason) => (raw: string) => {
    expect(check(raw)).toEqual({ ok: false, reason });
  };

  it.each(INVALID.empty)('rejects empty text: %j', rejects('empty'));
  it.each(INVALID.too_long)('[T11] rejects text over 2,048 characters', rejects('too_long'));
  it.each(INVALID.bad_characters)(
    '[T11] [T12] rejects control characters and broken text: %j',
    rejects('bad_characters'),
  );
  it.each(INVALID.not_a_link)('rejects text that is not a web address: %j', rejects('not_a_link'));
  it.each(INVALID.bad_scheme)(
    '[T5] rejects a scheme other than http and https: %j',
    rejects('bad_scheme'),
  );
  it.each(INVALID.credentials)('[T9] rejects a user name or password: %j', rejects('credentials'));
  it.each(INVALID.own_host)('[T6] rejects our own hosts: %j', rejects('own_host'));
  it.each(INVALID.private_host)('[T7] rejects a private host name: %j', rejects('private_host'));
  it.each(INVALID.private_address)(
    '[T7] rejects a private address: %j',
    rejects('private_address'),
  );
  it.each(INVALID.host_too_long)(
    '[T11] rejects a host name that is too long',
    rejects('host_too_long'),
  );
  it.each(INVALID.bad_port)('[T7] rejects a port that browsers block: %j', rejects('bad_port'));
  it('[T7] rejects exactly the ports that browsers block', () => {
    const ports = Array.from({ length: 10_100 }, (_, port) => port);
    expect(ports.filter((port) => !check(`http://example.com:${port}/`).ok)).toEqual(BAD_PORTS);
  });
  it.each(INVALID.shortener)('[T6] rejects another shortener: %j', rejects('shortener'));
  it.each(INVALID.lookalike_host)(
    '[T10] rejects a lookalike host name: %j',
    rejects('lookalike_host'),
  );
});
