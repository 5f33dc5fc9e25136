import { describe, expect, it } from 'vitest';
import { isLinkKey, linkKey, splitKey } from '#contract/codes/domain-key.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { newDomainId } from './domain-id.ts';

describe('newDomainId', () => {
  it('returns the form that keys of links expect', () => {
    const id = newDomainId(cryptoRandom);
    const key = linkKey(id, 'a/b');
    expect(isLinkKey(key)).toBe(true);
    expect(splitKey(key)).toEqual({ domain: id, code: 'a/b' });
  });

  it('a new domain id skips random bytes that would favor the first letters', () => {
    const bytes = [255, 254, 243, 0, 26, 27, 242, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const id = newDomainId((target) => target.set([...bytes, ...bytes].slice(0, target.length)));
    expect(id).toBe('d.a9a9bcdefg');
  });
});
