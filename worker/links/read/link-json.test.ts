import { describe, expect, it } from 'vitest';
import { READER } from '#worker/testing/link-ids.ts';
import { rowTimes } from '#worker/testing/stored-links.ts';
import { toLinkJson, type EventLink } from './link-json.ts';

const NOW = 1_800_000_000_000;
const times = rowTimes(NOW);
const iso = (ms: number) => new Date(ms).toISOString();
const LINK: EventLink = {
  id: 7,
  code: 'spring',
  earlierCodes: ['winter'],
  target: 'https://example.com/',
  externalId: 'id-1',
  status: 'active',
  disabledBy: null,
  disabledReason: null,
  createdAt: times.created_at,
  updatedAt: times.updated_at,
  expiresAt: times.expires_at,
};
const json = (given: Partial<EventLink> = {}) => toLinkJson({ ...LINK, ...given }, READER, NOW);

describe('toLinkJson', () => {
  it('names every member, and each time as the one that it is', () => {
    expect(json()).toEqual({
      id: '7',
      code: 'spring',
      earlierCodes: ['winter'],
      shortUrl: 'https://hop.example/spring',
      url: 'https://example.com/',
      externalId: 'id-1',
      status: 'active',
      statusReason: null,
      expiresAt: iso(times.expires_at),
      createdAt: iso(times.created_at),
      updatedAt: iso(times.updated_at),
    });
  });

  it.each<[string, Partial<EventLink>, string, string | null]>([
    ['that ends now', { expiresAt: NOW }, 'expired', null],
    ['that ends in a millisecond', { expiresAt: NOW + 1 }, 'active', null],
    ['without an end', { expiresAt: null }, 'active', null],
    [
      'that its owner disabled and that has ended',
      { status: 'disabled', disabledBy: 'owner', disabledReason: 'x', expiresAt: NOW - 1 },
      'disabled',
      'You disabled this link.',
    ],
    [
      'on hold with a reason',
      { status: 'disabled', disabledBy: 'admin', disabledReason: 'Spam.' },
      'disabled',
      'Spam.',
    ],
    [
      'on hold without a reason',
      { status: 'disabled', disabledBy: 'blocklist' },
      'disabled',
      'This link has been disabled.',
    ],
  ])('the status of a link %s has its reason', (_, given, status, statusReason) => {
    expect(json(given)).toMatchObject({ status, statusReason });
  });
});
