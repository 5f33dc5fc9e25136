import { describe, expect, it } from 'vitest';
import {
  buildModeration,
  moderationOf,
  describeHolds,
  describeScope,
  hostnameOf,
  isSuspension,
  nameOfLink,
  previewOf,
  restoringOf,
  scopesToDisable,
  scopesToRestore,
  type Subject,
} from './moderation-scopes.ts';

const hold = (kind: Subject['holds'][number]['kind'], value = '') => ({ kind, value, reason: 'x' });
const subject = (holds: Subject['holds'] = []): Subject => ({
  code: 'abc',
  domain: null,
  host: 'www.evil.example',
  ownerId: 'u-1',
  holds,
});

describe('scopesToDisable', () => {
  it('offers the link, its host and its owner, if there are any', () => {
    expect(scopesToDisable(subject()).map((scope) => scope.kind)).toEqual(['link', 'host', 'user']);
    expect(
      scopesToDisable({ ...subject(), host: '', ownerId: null }).map((scope) => scope.kind),
    ).toEqual(['link']);
  });
});

describe('scopesToDisable after a change of the destination', () => {
  it('offers the reported host before the present one', () => {
    const hosts = (reportedHost: string) =>
      scopesToDisable({ ...subject(), reportedHost }).flatMap((scope) =>
        scope.kind === 'host' ? [scope.host] : [],
      );
    expect(hosts('bank.example')).toEqual(['bank.example', 'www.evil.example']);
    expect(hosts('www.evil.example')).toEqual(['www.evil.example']);
  });
});

describe('the domain of a link', () => {
  const domain = { host: 'go.acme.com', isShared: false, isSuspended: false };
  const kindsWith = (over: object) =>
    scopesToDisable({ ...subject(), domain: { ...domain, ...over } }).map(({ kind }) => kind);

  it('can be suspended if it is a member’s, and restored while it is suspended', () => {
    expect(kindsWith({})).toEqual(['link', 'host', 'domain', 'user']);
    expect(kindsWith({ isShared: true })).not.toContain('domain');
    expect(kindsWith({ isSuspended: true })).not.toContain('domain');
    expect(restoringOf(domain)).toBeNull();
    expect(restoringOf({ ...domain, isSuspended: true })?.scopes).toEqual([
      { kind: 'domain', host: 'go.acme.com' },
    ]);
  });

  it('scopes name the link with its host, without the id of the domain', () => {
    expect(nameOfLink('d.abcdefghij/sale', domain)).toBe('go.acme.com/sale');
    expect(nameOfLink('sale', null)).toBe('/sale');
    const port = location.port === '' ? '' : `:${location.port}`;
    expect(previewOf('d.abcdefghij/sale', domain)).toBe(`//go.acme.com${port}/sale+`);
  });
});

describe('scopesToRestore', () => {
  it('offers what disabled the link, with the host as it was named then', () => {
    const holds = [
      hold('host', 'evil.example'),
      hold('reputation'),
      hold('blocklist', 'evil.example'),
      hold('owner'),
    ];
    expect(scopesToRestore(subject(holds))).toEqual([
      { kind: 'link', code: 'abc' },
      { kind: 'host', host: 'evil.example' },
    ]);
    expect(scopesToRestore(subject([hold('link')]))).toEqual([{ kind: 'link', code: 'abc' }]);
  });

  it('offers a user only if the link has an owner', () => {
    expect(scopesToRestore(subject([hold('user')]))).toEqual([{ kind: 'user', userId: 'u-1' }]);
    expect(scopesToRestore({ ...subject([hold('user')]), ownerId: null })).toEqual([]);
  });
});

describe('moderationOf', () => {
  it.each([
    ['active', [], 'Disable link'],
    ['deleted', [hold('user')], null],
    ['disabled', [], null],
    ['disabled', [hold('blocklist', 'evil.example'), hold('owner')], null],
    ['disabled', [hold('blocklist', 'evil.example'), hold('user')], 'Restore link'],
  ] as const)('a link that is %s with the holds %j gets %s', (status, holds, action) => {
    expect(moderationOf(status, [...holds])).toBe(action);
  });
});

describe('descriptions', () => {
  it('descriptions list all holds', () => {
    const holds = [
      hold('host', 'evil.example'),
      hold('reputation'),
      hold('blocklist', 'evil.example'),
      hold('owner'),
    ];
    expect(describeHolds(holds)).toBe(
      'an action on evil.example, the reputation of its host, the blocklist (evil.example), its owner',
    );
    expect(describeHolds([hold('link'), hold('user')])).toBe(
      'an action on this link, an action on its user',
    );
  });

  it('descriptions distinguish a user from the links of a deleted account', () => {
    const user = { kind: 'user', userId: '1a2b3c4d-0000-4000-8000-000000000000' } as const;
    const deleted = { kind: 'user', userId: `deleted-${user.userId}` } as const;
    expect([user, deleted].map(isSuspension)).toEqual([true, false]);
    expect([user, deleted].map(describeScope)).toEqual([
      'User 1a2b3c4d',
      'All links of deleted account 1a2b3c4d',
    ]);
    expect(isSuspension({ kind: 'link', code: 'abc' })).toBe(false);
    expect(describeScope({ kind: 'domain', host: 'go.acme.com' })).toBe(
      'Everything on go.acme.com',
    );
  });
});

describe('buildModeration', () => {
  it('disables a link that redirects and restores a disabled one', () => {
    const disabled = { ...subject([hold('user')]), reportId: 7 };
    expect(buildModeration(disabled, 'active')).toMatchObject({ action: 'disable', reportId: 7 });
    expect(buildModeration(disabled, 'disabled')).toEqual({
      action: 'enable',
      scopes: [{ kind: 'user', userId: 'u-1' }],
      reportId: 7,
    });
    expect(buildModeration(subject(), 'active')).not.toHaveProperty('reportId');
  });
});

describe('hostnameOf', () => {
  it('returns an empty text for what is not a URL', () => {
    expect(hostnameOf('https://www.evil.example:8080/x')).toBe('www.evil.example');
    expect(hostnameOf('evil')).toBe('');
  });
});
