import { describe, expect, it } from 'vitest';
import { parseLinkDraft, parseLinkEdit } from './link-draft.ts';

const NOW = 1_800_000_000_000;
const policy = { ownHosts: ['hop.example'], shorteners: new Set(['bit.ly']) };
const target = { href: 'https://example.com/x', host: 'example.com' };

describe('parseLinkDraft', () => {
  const parse = (input: Parameters<typeof parseLinkDraft>[0], isMember = true) =>
    parseLinkDraft(input, { isMember, policy, now: NOW });

  it('returns the parsed target, alias and end date', () => {
    expect(parse({ target: ' example.com/x ', code: 'Mine', expiresAt: NOW + 1 })).toEqual({
      ok: true,
      draft: {
        target,
        code: 'Mine',
        expiresAt: NOW + 1,
        externalId: null,
        codePrefix: '',
        domain: '',
        startsAt: null,
        fallbackUrl: '',
        redirectStatus: 302,
        rules: '',
        variants: '',
        title: '',
        note: '',
        archived: false,
        favorite: false,
        forwardParams: '',
        suggestOnTypo: false,
        watch: 'off',
        watchFallback: '',
        password: '',
        clickLimit: null,
        clickLimitOpen: false,
        tags: [],
        mayTakeFormer: true,
      },
    });
  });

  it('reads an empty alias as no alias, for visitors too', () => {
    const draft = {
      target,
      code: null,
      expiresAt: null,
      externalId: null,
      codePrefix: '',
      domain: '',
      startsAt: null,
      fallbackUrl: '',
      redirectStatus: 302,
      rules: '',
      variants: '',
      title: '',
      note: '',
      archived: false,
      favorite: false,
      forwardParams: '',
      suggestOnTypo: false,
      watch: 'off',
      watchFallback: '',
      password: '',
      clickLimit: null,
      clickLimitOpen: false,
      tags: [],
      mayTakeFormer: true,
    };
    expect(parse({ target: 'example.com/x', code: '' }, false)).toEqual({ ok: true, draft });
  });

  it('rejects an alias or an end date from a visitor', () => {
    for (const input of [{ code: 'mine' }, { expiresAt: NOW + 1 }])
      expect(parse({ target: 'example.com', ...input }, false)).toMatchObject({
        ok: false,
        reason: 'sign_in_required',
      });
  });

  it('rejects an end date that is not after now', () => {
    for (const expiresAt of [NOW, NOW - 1])
      expect(parse({ target: 'example.com', expiresAt })).toMatchObject({
        ok: false,
        reason: 'invalid_expiry',
      });
  });

  it('rejects a bad alias and a bad target', () => {
    expect(parse({ target: 'example.com', code: 'a b' })).toMatchObject({
      reason: 'invalid_alias',
    });
    expect(parse({ target: 'example.com', code: 'admin' })).toMatchObject({
      reason: 'reserved_alias',
    });
    expect(parse({ target: 'https://hop.example/x' })).toMatchObject({ reason: 'invalid_target' });
  });
});

describe('parseLinkEdit', () => {
  const parse = (change: Parameters<typeof parseLinkEdit>[0]) =>
    parseLinkEdit(change, { policy, now: NOW });

  it('returns only the members that were given', () => {
    expect(parse({ enabled: false })).toEqual({ ok: true, edit: { enabled: false } });
    expect(parse({ expiresAt: null })).toEqual({ ok: true, edit: { expiresAt: null } });
    expect(parse({ target: 'example.com/x', expiresAt: NOW + 1, enabled: true })).toEqual({
      ok: true,
      edit: { target, expiresAt: NOW + 1, enabled: true },
    });
  });

  it('rejects an end date that is not after now', () => {
    for (const expiresAt of [NOW, NOW - 1])
      expect(parse({ expiresAt })).toMatchObject({ ok: false, reason: 'invalid_expiry' });
  });

  it('rejects a bad target', () => {
    expect(parse({ target: 'https://bit.ly/x', enabled: true })).toMatchObject({
      ok: false,
      reason: 'invalid_target',
    });
  });
});
