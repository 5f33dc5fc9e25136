import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeDraft } from '#worker/testing/link-drafts.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { shorten } from '#worker/links/write/shorten.ts';
import { findTaken } from '#worker/links/write/insert-links.ts';

const db = openDb(env.DB);
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Creates a link whose generated code is the first of `codes` that is free, behind `codePrefix`.
 */
async function generate(codes: readonly string[], codePrefix = ''): Promise<string> {
  const bytes = codes.flatMap((code) => Array.from(code + code, (char) => BASE62.indexOf(char)));
  let at = 0;
  const random = (array: Uint8Array<ArrayBuffer>) => {
    for (let i = 0; i < array.length; i += 1) array[i] = bytes[at++ % bytes.length] ?? 0;
  };
  const draft = makeDraft({ codePrefix });
  const creator = { network: crypto.randomUUID(), site: crypto.randomUUID(), secret: 'test' };
  const made = await shorten(db, draft, { creator, reputation: null, now: Date.now(), random });
  if (!made.ok) throw new Error(made.reason);
  return made.code;
}

let person: Person;
const create = (customCode: string) =>
  call('/api/shorten', {
    json: { longUrl: 'https://example.com/', customCode },
    headers: person.headers,
  });

beforeAll(async () => {
  person = await makePerson();
  await generate(['AbCdEf1']);
  await generate(['xYz98aB'], 'promo-');
});

describe('an alias that equals a generated code in another case', () => {
  it.each(['abcdef1', 'ABCDEF1', 'aBcDeF1', 'promo-xyz98ab', 'PROMO-XYZ98AB'])(
    '[T67] an alias that equals a generated code except for case is taken: %s',
    async (alias) => {
      const response = await create(alias);
      expect([response.status, await response.json()]).toEqual([
        409,
        expect.objectContaining({ code: 'alias_taken' }),
      ]);
    },
  );

  it.each(['abcdef2', 'abcdef', 'abcdef11', 'xyz98ab', 'promo-xyz98a'])(
    'an alias is free if more than case differs: %s',
    async (alias) => {
      expect((await create(alias)).status).toBe(201);
    },
  );

  it('[T67] an alias is taken for a rename, but not for another spelling of the own code', async () => {
    const made = await call('/api/shorten', {
      json: { longUrl: 'https://example.com/' },
      headers: person.headers,
    });
    const { code } = await made.json<{ code: string }>();
    const rename = (from: string, to: string) =>
      call(`/api/links/${from}`, {
        method: 'PATCH',
        json: { customCode: to },
        headers: person.headers,
      });
    expect((await rename(code, 'abCDef1')).status).toBe(409);
    const swapped = Array.from(code, (char) =>
      char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase(),
    ).join('');
    expect((await rename(code, swapped)).status).toBe(200);
  });

  it('[T67] lists and imports find an equal alias among many', async () => {
    const many = Array.from({ length: 4_000 }, (_, i) => `spring-sale-${i}`);
    const { aliases } = await findTaken(db, person.id, [...many, 'ABCDEf1', 'Promo-xyz98aB'], []);
    expect([...aliases]).toEqual(['ABCDEf1', 'Promo-xyz98aB']);
  });

  it('[T67] a search for an equal alias reads few rows, however many aliases begin alike', async () => {
    // Spellings of one word in every case. What follows them makes them different aliases.
    const word = 'springsale';
    const spell = (bits: number) =>
      Array.from(word, (char, at) => (bits & (1 << at) ? char.toUpperCase() : char)).join('');
    const aliases = Array.from(
      { length: 1 << word.length },
      (_, bits) => `${spell(bits)}-flood${bits}`,
    );
    await env.DB.prepare(
      `INSERT INTO links (code, is_alias, target, target_host, created_at, updated_at)
       SELECT value, 1, 'https://example.com/', 'example.com', 1, 1 FROM json_each(?1)`,
    )
      .bind(JSON.stringify(aliases))
      .run();
    const rowsOf = async (alias: string) => {
      const counted = countRowsRead(env.DB);
      expect((await findTaken(openDb(counted.db), person.id, [alias], [])).aliases.size).toBe(0);
      // Reads run twice under the counter.
      return counted.rowsRead() / 2;
    };
    expect(await rowsOf('quiet-alias')).toBeLessThan(20);
    expect(await rowsOf('SpringSale-flood1x')).toBeLessThan(1_000);
    // The longest search for a code without a prefix still ends at the last spelling.
    await generate(['SPRINGS']);
    expect((await findTaken(db, person.id, ['springs'], [])).aliases.size).toBe(1);
  });

  it('an alias keeps working where a link has had it before', async () => {
    const insert = `INSERT INTO links (code, is_alias, target, target_host, created_at, updated_at) VALUES (?1, ?2, ?3, 'example.com', 1, 1)`;
    await env.DB.batch([
      env.DB.prepare(insert).bind('OLDcode', 0, 'https://example.com/generated'),
      env.DB.prepare(insert).bind('oldcode', 1, 'https://example.com/alias'),
    ]);
    expect((await call('/OLDcode')).headers.get('Location')).toBe('https://example.com/generated');
    expect((await call('/oldcode')).headers.get('Location')).toBe('https://example.com/alias');
  });
});

describe('a generated code', () => {
  it('[T67] the server replaces a code that equals an alias in another case', async () => {
    expect((await create('takenBy')).status).toBe(201);
    expect(await generate(['TAKENBY', 'freeOne'])).toBe('freeOne');
  });
});
