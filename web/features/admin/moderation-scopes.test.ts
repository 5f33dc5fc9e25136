import { expect, test } from 'vitest';
import { canRestore, heldBy, heldScopes, scopesOf, type Subject } from './moderation-scopes.ts';

const hold = (kind: Subject['holds'][number]['kind'], value = '') => ({ kind, value, reason: 'x' });
const subject = (holds: Subject['holds'] = []): Subject => ({ code: 'abc', host: 'www.evil.example', ownerId: 'u-1', holds });

test('a link, its host and its user can be disabled; what is not there cannot', () => {
  expect(scopesOf(subject()).map((scope) => scope.kind)).toEqual(['link', 'host', 'user']);
  expect(scopesOf({ ...subject(), host: '', ownerId: null }).map((scope) => scope.kind)).toEqual(['link']);
});

test('what is restored is what held the link, by the host that was named then', () => {
  const holds = [hold('host', 'evil.example'), hold('reputation'), hold('blocklist', 'evil.example'), hold('owner')];
  expect(heldScopes(subject(holds))).toEqual([
    { kind: 'link', code: 'abc' },
    { kind: 'host', host: 'evil.example' },
  ]);
  expect(heldBy(holds)).toBe('an action on evil.example, the reputation of its host, the blocklist (evil.example), its owner');
});

test('the blocklist and the owner are not overruled here', () => {
  expect(canRestore([hold('blocklist', 'evil.example'), hold('owner')])).toBe(false);
  expect(canRestore([hold('blocklist', 'evil.example'), hold('user')])).toBe(true);
});
