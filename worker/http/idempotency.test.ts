import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { hashRequest, leaseRequest, storeAnswer, type StoredAnswer } from './idempotency.ts';

const db = openDb(env.DB);
const NOW = Date.UTC(2027, 0, 10);
const SECOND = 1000;
const HOUR = 3600 * SECOND;

let serial = 0;
const newName = () => ({ userId: 'ann', key: `k${serial++}`, hash: 'h' });
const answer = (body: string): StoredAnswer => ({ status: 201, location: null, body });
const leased = async (name: ReturnType<typeof newName>, now: number) => {
  const lease = await leaseRequest(db, name, now);
  if (lease.kind !== 'run') throw new Error(lease.kind);
  return lease.request;
};

describe('hashRequest', () => {
  it('the hash of a request depends on its passwords, which nobody can guess from it', () => {
    const hash = (password: string | null, secret = 'a') =>
      hashRequest(secret, 'POST', '/links', [{ url: 'https://example.com', password }]);
    expect(hash('x')).toBe(hash('x'));
    expect(hash('x')).not.toBe(hash('y'));
    expect(hash('x')).not.toBe(hash('x', 'b'));
    expect(hash(null)).toBe(hash(null, 'b'));
  });
});

describe('leaseRequest', () => {
  it('lets another attempt take over after 15 seconds, and not earlier', async () => {
    const name = newName();
    await leased(name, NOW);
    expect((await leaseRequest(db, name, NOW + 15 * SECOND - 1)).kind).toBe('in_progress');
    const other = { ...name, hash: 'other' };
    expect((await leaseRequest(db, other, NOW + 15 * SECOND)).kind).toBe('other_request');
    expect((await leaseRequest(db, name, NOW + 15 * SECOND)).kind).toBe('run');
  });

  it('keeps an answer for 24 hours from the first attempt, and then runs again', async () => {
    const name = newName();
    await leased(name, NOW);
    await storeAnswer(db, await leased(name, NOW + 20 * SECOND), answer('once'));
    expect(await leaseRequest(db, name, NOW + 24 * HOUR - 1)).toEqual({
      kind: 'answered',
      answer: answer('once'),
    });
    const other = { ...name, hash: 'other' };
    expect((await leaseRequest(db, other, NOW + 24 * HOUR - 1)).kind).toBe('other_request');
    expect((await leaseRequest(db, other, NOW + 24 * HOUR)).kind).toBe('run');
  });

  it('stores no answer of an attempt that another one has replaced', async () => {
    const name = newName();
    const slow = await leased(name, NOW);
    const next = await leased(name, NOW + 15 * SECOND);
    await storeAnswer(db, slow, answer('late'));
    expect((await leaseRequest(db, name, NOW + 16 * SECOND)).kind).toBe('in_progress');
    await storeAnswer(db, next, answer('right'));
    await storeAnswer(db, slow, answer('late'));
    expect(await leaseRequest(db, name, NOW + 17 * SECOND)).toMatchObject({
      answer: answer('right'),
    });
  });
});
