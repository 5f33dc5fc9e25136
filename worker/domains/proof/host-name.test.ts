import { describe, expect, it } from 'vitest';
import { checkHostName } from './host-name.ts';

const POLICY = {
  ownHosts: ['hop.example', 'l.hop.example', 'target.saas.test'],
  shorteners: 'tiny.example',
};
const check = (text: string) => {
  const checked = checkHostName(text, POLICY);
  return checked.ok ? checked.host : checked.reason;
};

describe('checkHostName', () => {
  it.each([
    ['go.acme.com', 'go.acme.com'],
    [' https://GO.Acme.COM/ ', 'go.acme.com'],
    ['go.acme.com.', 'go.acme.com'],
    ['links.bücher.de', 'links.xn--bcher-kva.de'],
    ['acme.co.uk', 'acme.co.uk'],
    [`${'a'.repeat(60)}.com`, `${'a'.repeat(60)}.com`],
  ])('accepts %j', (text, host) => expect(check(text)).toBe(host));

  it.each([
    ['', 'not_a_host'],
    ['go acme.com', 'not_a_host'],
    ['https://go.acme.com/x', 'not_a_host'],
    ['go.acme.com:8080', 'not_a_host'],
    ['*.acme.com', 'not_a_host'],
    ['_hop.acme.com', 'not_a_host'],
    ['-go.acme.com', 'not_a_host'],
    ['192.0.2.7', 'not_a_host'],
    ['0x7f.1', 'not_a_host'],
    ['[2001:db8::1]', 'not_a_host'],
    ['xn--a.acme.com', 'not_a_host'],
    [`${'a'.repeat(60)}.com1`, 'too_long'],
    ['hop.example', 'own_host'],
    ['deep.hop.example', 'own_host'],
    ['saas.test', 'own_host'],
    ['com', 'public_suffix'],
    ['co.uk', 'public_suffix'],
    ['go.internal', 'private_host'],
    ['go.localhost', 'private_host'],
    ['xn--80ak6aa92e.com', 'imitates'],
    ['paypa1.com', 'imitates'],
    ['bit.ly', 'imitates'],
    ['tiny.example', 'imitates'],
  ])('rejects %j: %s', (text, reason) => expect(check(text)).toBe(reason));
});
