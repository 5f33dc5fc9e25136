import { expect, test } from 'vitest';
import {
  canRestore,
  describeHolds,
  scopesToRestore,
  isSuspension,
  buildModeration,
  scopesToDisable,
  describeScope,
  type Subject,
} from './moderation-scopes.ts';

const hold = (kind: Subject['holds'][number]['kind'], value = '') => ({ kind, value, reason: 'x' });
const subject = (holds: Subject['holds'] = []): Subject => ({ code: 'abc', host: 'www.evil.example', ownerId: 'u-1', holds });

test('a link, its host and its user can be disabled; what is not there cannot', () => {
  expect(scopesToDisable(subject()).map((scope) => scope.kind)).toEqual(['link', 'host', 'user']);
  expect(scopesToDisable({ ...subject(), host: '', ownerId: null }).map((scope) => scope.kind)).toEqual(['link']);
});

test('what is restored is what held the link, by the host that was named then', () => {
  const holds = [hold('host', 'evil.example'), hold('reputation'), hold('blocklist', 'evil.example'), hold('owner')];
  expect(scopesToRestore(subject(holds))).toEqual([
    { kind: 'link', code: 'abc' },
    { kind: 'host', host: 'evil.example' },
  ]);
  expect(describeHolds(holds)).toBe('an action on evil.example, the reputation of its host, the blocklist (evil.example), its owner');
});

test('the blocklist and the owner are not overruled here', () => {
  expect(canRestore([hold('blocklist', 'evil.example'), hold('owner')])).toBe(false);
  expect(canRestore([hold('blocklist', 'evil.example'), hold('user')])).toBe(true);
});

test('a user is suspended; of a deleted account only the links are disabled', () => {
  const user = { kind: 'user', user_id: '1a2b3c4d-0000-4000-8000-000000000000' } as const;
  const deleted = { kind: 'user', user_id: `deleted-${user.user_id}` } as const;
  expect([user, deleted].map(isSuspension)).toEqual([true, false]);
  expect([user, deleted].map(describeScope)).toEqual(['User 1a2b3c4d', 'All links of deleted account 1a2b3c4d']);
  expect(isSuspension({ kind: 'link', code: 'abc' })).toBe(false);
});

test('a working link is disabled, a held one restored, with the report that it answers', () => {
  const held = { ...subject([hold('user')]), reportId: 7 };
  expect(buildModeration(held, 'active')).toMatchObject({ action: 'disable', reportId: 7 });
  expect(buildModeration(held, 'disabled')).toEqual({ action: 'enable', scopes: [{ kind: 'user', user_id: 'u-1' }], reportId: 7 });
  expect(buildModeration(subject(), 'active')).not.toHaveProperty('reportId');
});
