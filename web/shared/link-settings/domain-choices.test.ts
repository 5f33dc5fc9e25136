import { expect, it } from 'vitest';
import { shortHost } from '#web/shared/page/config.ts';
import { makeDomain } from '#web/testing/make-domain.ts';
import {
  chosenDomain,
  domainChoices,
  domainFromAddress,
  domainInAddress,
} from './domain-choices.ts';

const DOMAINS = [
  makeDomain({ name: 'a.example', displayName: 'a.example', state: 'active' }),
  makeDomain({ name: 'xn--mnchen-3ya.example', displayName: 'münchen.example', state: 'failing' }),
  makeDomain({ name: 'c.example', displayName: 'c.example', state: 'pending' }),
];
const LIST = { domains: DOMAINS, defaultDomain: 'a.example' };
const USABLE = [
  ['', shortHost()],
  ['a.example', 'a.example'],
  ['xn--mnchen-3ya.example', 'münchen.example'],
];

it('the domains of a new link are the own host and those that work or may work again', () => {
  expect(domainChoices(undefined)).toEqual([['', shortHost()]]);
  expect(domainChoices(LIST)).toEqual(USABLE);
  expect(domainChoices(LIST, 'a.example')).toEqual(USABLE);
  expect(domainChoices(LIST, 'c.example')).toEqual([...USABLE, ['c.example', 'c.example']]);
});

it('a new link is on the chosen domain, or else on the default one', () => {
  expect([chosenDomain(LIST, undefined), chosenDomain(LIST, '')]).toEqual(['a.example', '']);
  expect(chosenDomain(undefined, undefined)).toBe('');
});

it('the own host has its name in an address, and none for the API', () => {
  expect(domainInAddress('')).toBe(shortHost());
  expect(domainFromAddress(shortHost())).toBe('');
  for (const at of [domainInAddress, domainFromAddress]) expect(at('a.example')).toBe('a.example');
});
