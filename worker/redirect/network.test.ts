import { describe, expect, it } from 'vitest';
import { networkOfAddress, siteOfAddress } from './network.ts';

describe('networkOfAddress', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::5:6', '2001:db8:0:0::/64'],
    ['2001:db8:1::', '2001:db8:1:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('returns the network of %j', (address, network) => {
    expect(networkOfAddress(address)).toBe(network);
  });

  it('differs between two /64s of one /48', () => {
    expect(networkOfAddress('2001:db8:1:2::1')).not.toBe(networkOfAddress('2001:db8:1:3::1'));
  });
});

describe('siteOfAddress', () => {
  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['203.0.113.9', ''],
    ['', ''],
  ])('returns the /48 of %j', (address, site) => {
    expect(siteOfAddress(address)).toBe(site);
  });
});
