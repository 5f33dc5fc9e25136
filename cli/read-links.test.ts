import { describe, expect, it } from 'vitest';
import { parseLinks } from './read-links.ts';

describe('parseLinks', () => {
  it.each([
    [
      'a list',
      '\uFEFFexample.com/a\n\n# a comment\n https://example.com/b,c \r\n',
      ['example.com/a', 'https://example.com/b,c'],
    ],
    [
      'a CSV file',
      'Name,URL\r\n"a ""quoted"", name",https://example.com/a\r\n,\r\nb,"x\ny"',
      ['https://example.com/a', 'x\ny'],
    ],
    [
      'a JSON array',
      '["https://example.com/a", {"url": "https://example.com/b"}]',
      ['https://example.com/a', 'https://example.com/b'],
    ],
    ['an empty file', '\n', []],
  ])('reads %s', (_name, content, urls) => {
    expect(parseLinks(content).map(({ url }) => url)).toEqual(urls);
  });

  it('reads titles, notes and tags from the columns of a CSV file', () => {
    const links = parseLinks(
      'url,Title,note,tags\nhttps://example.com,Spring,,"sale, spring;x"\nhttps://example.com,,never,',
    );
    expect(links).toEqual([
      { url: 'https://example.com', title: 'Spring', tags: ['sale', 'spring', 'x'] },
      { url: 'https://example.com', note: 'never' },
    ]);
  });

  it('reads aliases, end dates and ids from the columns of a CSV file', () => {
    const [link] = parseLinks(
      'alias,target,expires,external_id\nsale,https://example.com,2099-01-01T00:00:00Z,',
    );
    expect(link).toEqual({
      code: 'sale',
      url: 'https://example.com',
      expiresAt: '2099-01-01T00:00:00Z',
    });
  });

  it.each([
    ['target,alias,expiresAt,externalId'],
    ['long_url,CODE,expires_at,external_id'],
    ['LongURL,code,expires,externalid'],
  ])('reads a CSV file with the columns %s', (header) => {
    expect(parseLinks(`${header}\nhttps://example.com,sale,2099-01-01,7`)).toEqual([
      { url: 'https://example.com', code: 'sale', expiresAt: '2099-01-01', externalId: '7' },
    ]);
  });

  it.each([
    [
      'CSV',
      '\uFEFF"short_url","long_url","status"\r\n"https://hop.example/a","https://example.com","deleted"\r\n',
    ],
    [
      'JSON',
      '[{"short_url":"https://hop.example/a","long_url":"https://example.com","status":"deleted"}]',
    ],
  ])('hands an export in %s to the website, which reads codes and states', (_name, content) => {
    expect(() => parseLinks(content)).toThrow('/links/import');
  });

  it.each([0, 1, 2])('rejects a JSON list whose item %i is a row of an export', (at) => {
    const items: unknown[] = ['https://example.com/1', { url: 'https://example.com/2' }];
    items.splice(at, 0, { short_url: 'https://h.example/a', long_url: '', status: 'active' });
    expect(() => parseLinks(JSON.stringify(items))).toThrow('This is an export of links.');
  });

  it('rejects JSON that is no list of links', () => {
    for (const content of ['[1]', '[{"url":']) expect(() => parseLinks(content)).toThrow(/JSON/);
  });
});
