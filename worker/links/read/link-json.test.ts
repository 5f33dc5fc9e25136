import { describe, expect, it } from 'vitest';
import { NO_SETTINGS } from '#worker/db/link-settings.ts';
import { READER } from '#worker/testing/link-ids.ts';
import { rowTimes } from '#worker/testing/stored-links.ts';
import { changedFields, toLinkJson, type LinkFacts } from './link-json.ts';

const NOW = 1_800_000_000_000;
const times = rowTimes(NOW);
const iso = (ms: number) => new Date(ms).toISOString();
const LINK: LinkFacts = {
  ...NO_SETTINGS,
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
  importedClicks: 9,
  card: null,
  health: null,
  tags: ['sale'],
};
const DISABLED: Partial<LinkFacts> = { status: 'disabled', startsAt: NOW + 1 };
const ENDED: Partial<LinkFacts> = { expiresAt: NOW, startsAt: NOW + 1 };
const json = (given: Partial<LinkFacts> = {}) => toLinkJson({ ...LINK, ...given }, READER, NOW);

describe('toLinkJson', () => {
  it('names every member of a link, and each time in its own member', () => {
    expect(json()).toEqual({
      id: '7',
      code: 'spring',
      earlierCodes: ['winter'],
      domain: '',
      shortUrl: 'https://hop.example/spring',
      url: 'https://example.com/',
      externalId: 'id-1',
      status: 'active',
      state: 'active',
      statusReason: null,
      createdAt: iso(times.created_at),
      updatedAt: iso(times.updated_at),
      importedClicks: 9,
      expiresAt: iso(times.expires_at),
      title: '',
      note: '',
      archived: false,
      favorite: false,
      startsAt: null,
      fallbackUrl: '',
      redirectStatus: 302,
      rules: [],
      variants: [],
      hasPassword: false,
      clickLimit: null,
      clickLimitOpen: false,
      forwardParams: 'none',
      suggestOnTypo: false,
      watch: 'off',
      watchFallback: '',
      card: null,
      health: null,
      tags: ['sale'],
    });
  });

  it.each<[string, Partial<LinkFacts>, string, string | null]>([
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

describe('the state of a link', () => {
  it.each<[string, Partial<LinkFacts>, string, string]>([
    ['that starts in a millisecond', { startsAt: NOW + 1 }, 'active', 'scheduled'],
    ['that starts now', { startsAt: NOW }, 'active', 'active'],
    ['that its owner disabled before its start', DISABLED, 'disabled', 'disabled'],
    ['that has ended before its start', ENDED, 'expired', 'expired'],
  ])('%s is beside its status', (_, given, status, state) => {
    expect(json(given)).toMatchObject({ status, state });
  });
});

describe('changedFields', () => {
  it.each<[string, Partial<LinkFacts>, string[]]>([
    ['nothing but the time of the change', { updatedAt: NOW }, []],
    ['a card', { card: { title: 'A', description: '', image: '', at: NOW } }, ['card']],
    ['a note', { note: 'x', updatedAt: NOW }, ['note']],
    ['the order of tags and another tag', { tags: ['a', 'sale'] }, ['tags']],
    ['an end that has passed', { expiresAt: NOW - 1 }, ['status', 'expiresAt']],
    ['a start', { startsAt: NOW + 1 }, ['startsAt']],
    ['a rename', { code: 's', earlierCodes: ['spring'] }, ['code', 'earlierCodes', 'shortUrl']],
    ['an id of a key with a prefix', { externalId: 'p\u001Fid-1' }, ['externalId']],
    ['a hold', { status: 'disabled', disabledBy: 'admin' }, ['status', 'statusReason']],
  ])('names what is shown of %s', (_, given, names) => {
    expect(changedFields(LINK, { ...LINK, ...given }, NOW)).toEqual(names);
  });
});
