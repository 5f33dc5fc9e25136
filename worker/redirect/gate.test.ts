import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { LinkRule } from '#contract/links/rule-conditions.ts';
import { DAY_MS } from '#contract/time.ts';
import { call } from '#worker/testing/call.ts';
import { storeLink } from '#worker/testing/stored-links.ts';
import {
  CLOSED_REASON,
  decodeEdgeRecord,
  encodeEdgeRecord,
  LOST_REASON,
  toEdgeRecord,
  type EdgeRecord,
} from './edge-record.ts';
import { toGate, toGateRow } from './gate.ts';

const RULES: LinkRule[] = [{ if: { country: ['BR'] }, to: 'https://br.example/' }];
const HOURS = { zone: 'UTC', from: '09:00', to: '17:00' };
const RECORD: EdgeRecord = { v: 3, i: 7, s: 'a', u: 'https://example.com/', e: 0 };

const rowOf = (columns: object) => ({
  id: 7,
  target: 'https://example.com/',
  status: 'conditional',
  disabled_reason: null,
  expires_at: null,
  version: 3,
  forward_params: '',
  variants: '',
  card_at: null,
  ...toGateRow(),
  ...columns,
});

const statusOf = async (id: number): Promise<unknown> =>
  env.DB.prepare('SELECT status FROM links WHERE id = ?').bind(id).first('status');

describe('an edge record with a gate', () => {
  it.each([
    { n: 5 },
    { t: RULES },
    { n: 5, t: RULES, o: 'https://after.example/', c: 301 as const },
    { t: [{ if: { time: [HOURS] }, to: RULES[0]?.to ?? '' }] },
    { p: 'hash' },
    { l: { n: 3, d: 'name', o: 1 as const } },
    { n: 5, t: RULES, p: 'hash', l: { n: 3, d: 'name' } },
  ])('an edge record with a gate is written as disabled, without its target: %j', (g) => {
    const written: { s: string; u: string } = JSON.parse(encodeEdgeRecord({ ...RECORD, g }));
    expect([written.s, written.u]).toEqual(['d', '']);
    expect(decodeEdgeRecord(JSON.stringify(written))).toEqual({ ...RECORD, g });
  });

  it.each([301, 302, 307, 308] as const)('a row keeps the status %i', (status) => {
    const gate = status === 302 ? {} : { c: status };
    expect(toGate(toGateRow(gate))).toEqual(status === 302 ? undefined : gate);
  });

  it.each([
    ['disabled', 'Off.', { s: 'd', r: 'Off.' }],
    ['deleted', 'Off.', { s: 'x' }],
    ['deleted', LOST_REASON, { s: 'x', r: LOST_REASON }],
  ])('the record of a %s row with the reason "%s" is only that', (status, reason, more) => {
    const variants = '[{"url":"https://b.example/","weight":50}]';
    const row = { status, disabled_reason: reason, forward_params: '*', variants, card_at: 1 };
    expect(toEdgeRecord(rowOf(row))).toEqual({ v: 3, i: 7, u: '', e: 0, ...more });
  });

  it('keeps a fallback and a status open, which an older Worker may ignore', () => {
    const g = { o: 'https://after.example/', c: 308 as const };
    const text = encodeEdgeRecord({ ...RECORD, g });
    expect(JSON.parse(text)).toMatchObject({ s: 'a', u: RECORD.u });
    expect(decodeEdgeRecord(text)).toEqual({ ...RECORD, g });
  });

  it('a gate of a later version does not redirect', () => {
    const later = { ...RECORD, s: 'd', u: '', g: { v: 3, u: RECORD.u, n: 1, p: 'hash' } };
    expect(decodeEdgeRecord(JSON.stringify(later))).toEqual({
      ...RECORD,
      s: 'd',
      u: '',
      r: CLOSED_REASON,
    });
  });

  it.each([{ p: 'hash' }, { l: { n: 3, d: 'name' } }, { n: 5, p: 'hash' }])(
    'a gate with a password or limit has version 2, which older Workers refuse: %j',
    (g) => {
      const written: { g: { v: number } } = JSON.parse(encodeEdgeRecord({ ...RECORD, g }));
      expect(written.g.v).toBe(2);
      const open = JSON.stringify({ ...written, g: { ...written.g, v: 1 } });
      expect(decodeEdgeRecord(open)).toBeNull();
    },
  );

  it.each([
    { v: 2, u: RECORD.u, p: '' },
    { v: 2, u: RECORD.u, n: 5 },
    { v: 2, u: RECORD.u, l: { n: 3 } },
    { v: 2, u: RECORD.u, l: { n: 3, d: 'name', later: 1 } },
    { v: 1, u: 'ftp://example.com/', n: 5 },
    { v: 1, u: RECORD.u, n: 'soon' },
    { v: 1, u: RECORD.u, t: [] },
    { v: 1, u: RECORD.u, t: [{ if: {}, to: 'https://br.example/' }] },
    { v: 1, u: RECORD.u, t: [{ if: { country: ['BR'] }, to: 'javascript:alert(1)' }] },
    { v: 1, u: RECORD.u, t: [{ if: { moon: ['full'] }, to: 'https://br.example/' }] },
    { v: 1, u: RECORD.u, t: [{ if: { time: [{ ...HOURS, later: 1 }] }, to: RECORD.u }] },
    { v: 1, u: RECORD.u, n: 5, later: true },
    { v: 1, u: RECORD.u, t: RULES, o: 'https://ü.example/' },
    null,
  ])('[T12] decoding returns null for a gate that this release does not write: %j', (g) => {
    const text = JSON.stringify({ ...RECORD, s: 'd', u: '', g });
    expect(decodeEdgeRecord(text)).toBeNull();
    expect(decodeEdgeRecord(JSON.stringify({ ...RECORD, g }))).toBeNull();
  });

  it.each([
    {},
    { fallback_url: 'https://after.example/' },
    { status: 'guarded' },
    { status: 'guarded', starts_at: 5, rules: JSON.stringify(RULES) },
    { status: 'guarded', click_limit: 3 },
  ])(
    'a conditional or guarded row that has lost its conditions does not redirect: %j',
    (columns) => {
      expect(toEdgeRecord(rowOf(columns))).toMatchObject({ s: 'd', u: '', r: CLOSED_REASON });
    },
  );

  it('a card is a member outside of the gate, and none of a guarded link', () => {
    const open = toEdgeRecord(rowOf({ status: 'active', card_at: 5 }));
    expect(JSON.parse(encodeEdgeRecord(open))).toEqual({ ...open, k: 1 });
    const conditional = toEdgeRecord(rowOf({ starts_at: 9, card_at: 5 }));
    const written = encodeEdgeRecord(conditional);
    expect(JSON.parse(written)).toMatchObject({ s: 'd', u: '', k: 1 });
    expect(decodeEdgeRecord(written)).toEqual(conditional);
    expect(toEdgeRecord(rowOf({ status: 'guarded', card_at: 5 })).k).toBeUndefined();
  });

  it.each([{ status: 'gated' }, { rules: '{"v":2}' }, { rules: '[{"if":{"moon":[1]},"to":"x"}]' }])(
    'a row of a later release does not redirect: %j',
    (columns) => {
      expect(toEdgeRecord(rowOf(columns))).toMatchObject({ s: 'd', u: '', r: CLOSED_REASON });
    },
  );
});

describe('the status of a row', () => {
  it('a row with conditions has the status of them, whichever release writes it', async () => {
    const { id } = await storeLink({ rules: RULES });
    expect(await statusOf(id)).toBe('conditional');
    const write = (set: string) =>
      env.DB.prepare(`UPDATE links SET ${set} WHERE id = ?`).bind(id).run();
    for (const [set, status] of [
      [`status = 'disabled'`, 'disabled'],
      // What an older Worker writes when it lifts a hold.
      [`status = 'active'`, 'conditional'],
      [`rules = ''`, 'active'],
      [`starts_at = 5`, 'conditional'],
      [`password_hash = 'hash'`, 'guarded'],
      [`status = 'active'`, 'guarded'],
      [`status = 'conditional'`, 'guarded'],
      [`click_limit = 3, password_hash = ''`, 'guarded'],
      [`click_limit = NULL`, 'conditional'],
      [`starts_at = NULL`, 'active'],
      [`password_hash = 'hash'`, 'guarded'],
      [`target = ''`, 'active'],
      [`click_limit = 3`, 'guarded'],
      [`status = 'deleted'`, 'deleted'],
    ] as const) {
      await write(set);
      expect(await statusOf(id), set).toBe(status);
    }
  });
});

describe('a link before its start', () => {
  it('answers 404 with its start, and shows no destination anywhere', async () => {
    const startsAt = Date.UTC(2099, 0, 31, 9, 30);
    const fallbackUrl = 'https://secret.example/after';
    const rules = [{ ...RULES[0], if: { country: ['BR'] }, to: 'https://secret.example/br' }];
    const target = 'https://secret.example/';
    const variants = [{ url: 'https://secret.example/b', weight: 30 }];
    const { code } = await storeLink({ target, startsAt, fallbackUrl, rules, variants });
    for (const path of [`/${code}`, `/${code}+`])
      for (const Accept of ['text/html', 'application/json']) {
        const response = await call(path, { headers: { Accept } });
        const text = await response.text();
        expect(response.status).toBe(404);
        expect(text).toContain('This link starts on Jan 31, 2099, 09:30 UTC');
        expect(text + JSON.stringify([...response.headers])).not.toContain('secret');
      }
  });
});

describe('a link with a fallback', () => {
  const fallbackUrl = 'https://after.example/';
  const ended = { target: 'https://example.com/', fallbackUrl, expiresAt: Date.now() - 1 };
  const locationOf = async (path: string): Promise<string | null> =>
    (await call(path, { method: 'HEAD' })).headers.get('Location');

  it('leads there after its end, past its rules and its redirect status', async () => {
    const rules: LinkRule[] = [{ if: { query: ['ref'] }, to: 'https://rule.example/' }];
    const { code } = await storeLink({ ...ended, rules, redirectStatus: 308 });
    const response = await call(`/${code}?ref=1`, { method: 'HEAD' });
    expect([response.status, response.headers.get('Location')]).toEqual([302, fallbackUrl]);
  });

  it.each(['disabled', 'deleted'])('a %s link does not lead there', async (status) => {
    for (const isPublished of [true, false]) {
      const { code } = await storeLink({ ...ended, rules: RULES, status, isPublished });
      for (const path of [`/${code}`, `/${code}+`]) {
        const response = await call(path, {}, { LINK_MEMORY_MS: '0' });
        expect(response.status).toBe(410);
        expect(await response.text()).not.toMatch(/after\.example|br\.example/);
      }
    }
  });

  it('forwards parameters to the destination of a rule and to the fallback', async () => {
    const rules: LinkRule[] = [{ if: { query: ['ref'] }, to: 'https://rule.example/?a=1' }];
    const target = 'https://example.com/';
    const open = await storeLink({ target, rules, forwardParams: 'ref,a' });
    expect(await locationOf(`/${open.code}?ref=x&a=2&b=3`)).toBe('https://rule.example/?a=1&ref=x');
    expect(await locationOf(`/${open.code}?a=2`)).toBe('https://example.com/?a=2');
    const { code } = await storeLink({ ...ended, rules, forwardParams: '*' });
    expect(await locationOf(`/${code}?ref=x`)).toBe('https://after.example/?ref=x');
  });
});

describe('the preview of a link', () => {
  it('shows the rules in their order and the fallback', async () => {
    const rules: LinkRule[] = [
      { if: { device: ['ios'] }, to: 'https://app.example/' },
      { if: { country: ['BR', 'PT'], language: ['pt'] }, to: 'https://br.example/' },
    ];
    const expiresAt = Date.now() + DAY_MS;
    const { code } = await storeLink({ rules, expiresAt, fallbackUrl: 'https://after.example/' });
    const text = await (await call(`/${code}+`, { headers: { Accept: 'text/html' } })).text();
    const order = [
      'Device: iPhone or iPad.',
      'https://app.example/',
      'Country: Brazil or Portugal. Language: Portuguese.',
      'https://br.example/',
      'https://after.example/',
    ].map((part) => text.indexOf(part));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });
});
