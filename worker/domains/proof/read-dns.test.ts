import { describe, expect, it } from 'vitest';
import { isOfPlatform } from './platform-address.ts';
import { judgeProofs, noneHas, readTarget, readUse } from './read-dns.ts';
import type { LookUp } from './resolvers.ts';

const HOST = 'go.acme.test';
const TARGET = 'in.saas.test';
/** What two resolvers answer to `TYPE name`; null for one that is silent. No entry: no records. */
type Zone = Record<string, (string[] | null)[]>;
const both = (...records: string[]) => [records, records];
const SILENT = [null, null];
const zoneOf =
  (zone: Zone): LookUp =>
  async (name, type) =>
    zone[`${type} ${name}`] ?? [[], []];

describe('readTarget', () => {
  const right = { [`A ${TARGET}`]: both('192.0.2.1', '192.0.2.2') };
  it.each<[string, Zone, object]>([
    ['right', { [`CNAME ${HOST}`]: both('other.test', TARGET) }, { seen: ['other.test', TARGET] }],
    ['unknown', { [`CNAME ${HOST}`]: [[TARGET], null] }, { seen: [TARGET] }],
    ['unknown', { [`CNAME ${HOST}`]: [null, ['other.test']] }, { seen: ['other.test'] }],
    ['wrong', { [`CNAME ${HOST}`]: [[TARGET], []] }, { seen: [TARGET] }],
    ['wrong', { [`CNAME ${HOST}`]: both('other.test') }, { seen: ['other.test'] }],
    ['missing', right, { seen: [] }],
    ['right', { ...right, [`A ${HOST}`]: both('192.0.2.2') }, { seen: ['192.0.2.2'] }],
    ['right', { ...right, [`A ${HOST}`]: [['192.0.2.1'], null] }, { seen: ['192.0.2.1'] }],
    ['wrong', { ...right, [`A ${HOST}`]: [['192.0.2.1'], ['192.0.2.9']] }, {}],
    ['wrong', { ...right, [`AAAA ${HOST}`]: both('2001:db8::1') }, { seen: ['2001:db8::1'] }],
    ['unknown', { ...right, [`A ${HOST}`]: SILENT, [`AAAA ${HOST}`]: SILENT }, { seen: [] }],
    ['unknown', { [`A ${TARGET}`]: SILENT, [`AAAA ${TARGET}`]: SILENT }, { seen: [] }],
  ])('the target of a host is %s for %j', async (state, zone, seen) => {
    expect(await readTarget(zoneOf(zone), HOST, TARGET)).toMatchObject({
      cname: { state, ...seen },
      isProxied: false,
      isForbidden: false,
    });
  });

  it('tells a host behind the proxy by one of its addresses', async () => {
    const isProxied = async (...addresses: string[]) =>
      (await readTarget(zoneOf({ [`A ${HOST}`]: both(...addresses) }), HOST, TARGET)).isProxied;
    expect(await isProxied('192.0.2.1', '104.16.3.4')).toBe(true);
    expect(await isProxied('192.0.2.1')).toBe(false);
  });

  it('knows the first and the last addresses of the platform', async () => {
    const ends = `173.245.48.0 173.245.63.255 103.21.244.0 103.21.247.255 103.22.200.0 103.22.203.255
      103.31.4.0 103.31.7.255 141.101.64.0 141.101.127.255 108.162.192.0 108.162.255.255 190.93.240.0
      190.93.255.255 188.114.96.0 188.114.111.255 197.234.240.0 197.234.243.255 198.41.128.0
      198.41.255.255 162.158.0.0 162.159.255.255 104.16.0.0 104.27.255.255 172.64.0.0
      172.71.255.255 131.0.72.0 131.0.75.255`;
    for (const address of ends.split(/\s+/)) expect(isOfPlatform(address), address).toBe(true);
    for (const address of ['104.15.255.255', '104.28.0.0', '172.72.0.0', '131.0.76.0'])
      expect(isOfPlatform(address), address).toBe(false);
  });

  const forbids = async (zone: Zone, host = HOST) =>
    (await readTarget(zoneOf(zone), host, TARGET)).isForbidden;

  it.each<[boolean, string, Zone]>([
    [true, 'another authority', { [`CAA ${HOST}`]: both('issue ca.example') }],
    [false, 'one of several', { [`CAA ${HOST}`]: both('issue ca.example', 'issue pki.goog') }],
    ...'letsencrypt.org pki.goog ssl.com sectigo.com digicert.com'
      .split(' ')
      .map((name): [boolean, string, Zone] => [
        false,
        name,
        { [`CAA ${HOST}`]: both(`issue ${name}`) },
      ]),
    [false, 'parameters', { [`CAA ${HOST}`]: both('issue letsencrypt.org; accounturi=x') }],
    [true, 'no authority', { [`CAA ${HOST}`]: both('issue ;') }],
    [false, 'wildcards', { [`CAA ${HOST}`]: both('issuewild ;') }],
    [false, 'other kinds', { [`CAA ${HOST}`]: both('iodef mailto:a@acme.test') }],
    [true, 'a parent', { 'CAA acme.test': both('issue ca.example') }],
    [
      false,
      'the nearest parent',
      { [`CAA ${HOST}`]: both('issue pki.goog'), 'CAA acme.test': both('issue ca.example') },
    ],
    [
      false,
      'a parent without authorities',
      { [`CAA ${HOST}`]: both('iodef a'), 'CAA acme.test': both('issue ca.example') },
    ],
    [true, 'one resolver', { [`CAA ${HOST}`]: [null, ['issue ca.example']] }],
    [false, 'the top level', { 'CAA test': both('issue ca.example') }],
  ])('isForbidden is %s for CAA records of %s', async (isForbidden, _, zone) => {
    expect(await forbids(zone)).toBe(isForbidden);
  });

  it('asks for the CAA records of three names at most', async () => {
    const zone = { 'CAA b.acme.test': both('issue ca.example') };
    expect(await forbids(zone, 'd.c.b.acme.test')).toBe(true);
    expect(await forbids(zone, 'e.d.c.b.acme.test')).toBe(false);
  });
});

describe('judgeProofs', () => {
  const [mine, old, other] = ['hop-domain=mine', 'hop-domain=old', 'hop-domain=other'];
  it.each<[string, (string[] | null)[], string[]]>([
    ['right', both('v=spf1', mine), [mine]],
    ['right', both(old), [old]],
    // Each resolver must have the same value.
    ['wrong', [[mine], [old]], [mine, old]],
    ['wrong', [[mine], []], [mine]],
    ['wrong', both(other), [other]],
    ['unknown', [[mine], null], [mine]],
    ['unknown', [[other], null], [other]],
    ['missing', both('v=spf1'), []],
  ])('the record of a proof is %s for %j', (state, answers, seen) => {
    expect(judgeProofs(answers, [mine, old])).toEqual({ state, seen });
  });

  it('shows five values at most, and 255 characters of each', () => {
    const values = Array.from({ length: 7 }, (_, i) => `hop-domain=${i}${'x'.repeat(300)}`);
    const { seen } = judgeProofs([values, values], []);
    expect(seen).toEqual(values.slice(0, 5).map((value) => value.slice(0, 255)));
  });
});

describe('noneHas', () => {
  it.each<[boolean, (string[] | null)[]]>([
    [true, [[], ['c']]],
    [false, [[], ['c', 'b']]],
    [false, [['a'], []]],
    // A silent resolver may have the value.
    [false, [[], null]],
  ])('noneHas is %s for %j', (isGone, answers) => {
    expect(noneHas(answers, ['a', 'b'])).toBe(isGone);
  });
});

describe('readUse', () => {
  it.each<[string[] | null, Zone]>([
    [[], {}],
    [['A', 'MX'], { [`A ${HOST}`]: both('192.0.2.1'), [`MX ${HOST}`]: both('10 mx.acme.test') }],
    [['AAAA'], { [`AAAA ${HOST}`]: [null, ['2001:db8::1']], [`MX ${HOST}`]: [[], null] }],
    [null, { [`A ${HOST}`]: both('192.0.2.1'), [`MX ${HOST}`]: SILENT }],
  ])('returns %j for %j', async (used, zone) => {
    expect(await readUse(zoneOf(zone), HOST)).toEqual(used);
  });
});
