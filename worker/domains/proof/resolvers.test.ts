import { describe, expect, it } from 'vitest';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { createLookUp, type RecordType } from './resolvers.ts';

const answer = (type: number, ...data: string[]) =>
  Response.json({ Status: 0, Answer: data.map((one) => ({ name: 'x', type, data: one })) });
const ask = (type: RecordType, response: () => Response) =>
  createLookUp('https://dns.test/one', async () => response())('go.acme.test', type);

describe('createLookUp', () => {
  it.each<[string, RecordType, () => Response, string[]]>([
    [
      'joins the strings of a TXT record',
      'TXT',
      () => answer(16, '"a\\"b" "c"', 'd'),
      ['a"bc', 'd'],
    ],
    ['spells hosts alike', 'CNAME', () => answer(5, 'In.Saas.Test.'), ['in.saas.test']],
    ['skips what a CNAME leads to', 'CNAME', () => answer(1, '192.0.2.1'), []],
    ['reads a CAA record', 'CAA', () => answer(257, '0 issue "Pki.goog"'), ['issue pki.goog']],
    [
      'reads a CAA record of unknown type',
      'CAA',
      () => answer(257, '\\# 15 00 05 69 73 73 75 65 70 6b 69 2e 67 6f 6f 67'),
      ['issue pki.goog'],
    ],
    [
      'reads 50 records at most',
      'A',
      () => answer(1, ...Array<string>(51).fill('192.0.2.1')),
      Array<string>(50).fill('192.0.2.1'),
    ],
    ['reads that there is no such name', 'A', () => Response.json({ Status: 3 }), []],
  ])('%s', async (_, type, response, records) => {
    expect(await ask(type, response)).toEqual([records]);
  });

  it.each([
    ['SERVFAIL', () => Response.json({ Status: 2 })],
    ['an error', () => Response.json({ Status: 0 }, { status: 502 })],
    ['no JSON', () => new Response('<html>')],
    ['another form', () => Response.json({ Status: 0, Answer: 'none' })],
  ])('takes %s for no answer, not for no records', async (_, response) => {
    expect(await ask('TXT', response)).toEqual([null]);
  });

  it('asks two companies unless the setting names resolvers', async () => {
    const hosts = async (setting: string) => {
      const asked: string[] = [];
      const fetcher: FetchFunction = async (url, init) => {
        expect(init).toMatchObject({
          redirect: 'manual',
          headers: { Accept: 'application/dns-json' },
        });
        asked.push(new URL(url).host);
        return answer(1);
      };
      await createLookUp(setting, fetcher)('go.acme.test', 'A');
      return asked;
    };
    expect(await hosts('')).toEqual(['cloudflare-dns.com', 'dns.google']);
    expect(await hosts('https://a.test/x, https://b.test')).toEqual(['a.test', 'b.test']);
  });
});
