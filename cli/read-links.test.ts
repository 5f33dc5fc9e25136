import { describe, expect, it } from 'vitest';
import { parseLinks } from './read-links.ts';
import { originOf, readCliSettings } from './settings.ts';

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
      'url,Title,note,tags\nhttps://example.com,Spring,,"sale, spring"\nhttps://example.com,,x,',
    );
    expect(links).toEqual([
      { url: 'https://example.com', title: 'Spring', tags: ['sale', 'spring'] },
      { url: 'https://example.com', note: 'x' },
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

  it('rejects JSON that is no list of links', () => {
    for (const content of ['[1]', '[{"url":']) expect(() => parseLinks(content)).toThrow(/JSON/);
  });
});

describe('settings', () => {
  it('the settings send keys over https, or to this machine only', () => {
    expect(originOf('hop.example/settings')).toBe('https://hop.example');
    expect(originOf('http://localhost:8787/')).toBe('http://localhost:8787');
    for (const address of ['http://hop.example', 'ftp://hop.example', 'https://', ''])
      expect(originOf(address)).toBeNull();
  });

  it('the settings take both values from the environment', () => {
    const env = { XDG_CONFIG_HOME: '/nowhere', HOP_URL: 'hop.example', HOP_API_KEY: 'hop_live_x' };
    expect(readCliSettings(env)).toEqual({ origin: 'https://hop.example', key: 'hop_live_x' });
    expect(readCliSettings({ ...env, HOP_API_KEY: '' })).toBeNull();
  });
});
