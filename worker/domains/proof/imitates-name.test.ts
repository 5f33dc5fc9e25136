import { describe, expect, it } from 'vitest';
import { imitatesName } from './imitates-name.ts';

const OWN = ['hop.example', 'links.test'];
const find = (hosts: string[]) => hosts.filter((host) => imitatesName(host, OWN));

describe('imitatesName', () => {
  it('finds other spellings of our own hosts', () => {
    const imitations = ['h0p.example', '1inks.test', 'llnks.test', 'xn--hp-fka.example'];
    expect(find(imitations)).toEqual(imitations);
  });

  it('finds well-known names in other spellings and as words', () => {
    const imitations = [
      'paypa1.com',
      'go.paypal-login.com',
      'rnicrosoft.com',
      'google.acme.com',
      'login-app1e.co',
      'tvvitter.com',
      'am4zon.com',
      'appl3.com',
      '5team.com',
      'paypai.com',
      'faceb00k.com',
    ];
    expect(find(imitations)).toEqual(imitations);
  });

  it('leaves owners and ordinary names alone', () => {
    expect(
      find(['go.paypal.com', 'paypal.co.uk', 'go.acme.com', 'applepie.de', 'zoomer.io', 'hop.com']),
    ).toEqual([]);
  });
});
