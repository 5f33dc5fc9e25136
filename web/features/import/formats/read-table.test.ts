import { describe, expect, it } from 'vitest';
import { readImport } from './read-import.ts';

const namesOf = async (text: string) =>
  (await readImport(text)).columns?.map(({ name }) => name) ?? [];

describe('readImport of tables', () => {
  it.each([
    ['# Mine\nhttps://a.example', 'List of addresses'],
    ['url\na.example', 'CSV'],
    ['<!DOCTYPE NETSCAPE-Bookmark-file-1><a href="https://a.example">A</a>', 'Bookmarks'],
    ['["https://a.example"]', 'JSON'],
  ])('names the format of %j', async (text, formatName) => {
    expect((await readImport(text)).formatName).toBe(formatName);
  });

  it('tells columns of the same name apart', async () => {
    expect(await namesOf('url,x,x,\na.example,1,2,3')).toEqual([
      'url',
      'x',
      'x (column 3)',
      'Column 4',
    ]);
  });

  it('splits a table where its first line says', async () => {
    expect(await namesOf('sep=|\nurl|x,y;z\na.example|1,2;3')).toEqual(['url', 'x,y;z']);
  });

  it('the first 100 lines decide whether a text without names is a table', async () => {
    const lines = (count: number) => 'https://a.example,x\n'.repeat(count);
    const { rows, columns } = await readImport(`${lines(100)}https://b.example`);
    expect([columns?.length, rows.at(-1)?.url]).toEqual([2, 'https://b.example']);
    expect(await namesOf(`${lines(99)}https://b.example`)).toEqual([]);
  });

  it.each([
    ['url,URL\na.example,b.example', 'a.example'],
    ['url,note\na.example,x,,', 'a.example'],
    ['https://a.example/b,c', 'https://a.example/b,c'],
    ['https://a.example,url\nhttps://b.example,link', 'https://a.example'],
    // The column with the most addresses has the destinations, unless it has short links.
    [
      'A,B\nhttps://b.example/b/c,https://a.example/b/c\n,https://a.example/b/d',
      'https://a.example/b/c',
    ],
    ['A,B\nhttps://s.example/x,https://a.example/b/c', 'https://a.example/b/c'],
    [
      'A,B\nhttps://a.example/x,https://l.example/b/c\nhttps://b.example/x,x',
      'https://a.example/x',
    ],
    ['{"links": {"self": "https://b.example"}, "data": [{"url": "a.example"}]}', 'a.example'],
  ])('finds the first destination of %j', async (text, url) => {
    const [row] = (await readImport(text)).rows;
    expect([row?.url, row?.problem]).toEqual([url, undefined]);
  });

  it.each([
    ['sep=|\nurl|x,url,title\na.example|1', ['url', 'x,url,title']],
    ['url,title,x|url\na.example,b,c', ['url', 'title', 'x|url']],
  ])('chooses the separator of %j', async (text, names) => {
    expect(await namesOf(text)).toEqual(names);
  });

  it.each([
    ['link,title\nhttps://a.example/b/c,T', {}, ['url', 'title']],
    ['A,B\nhttps://a.example/b/c,https://b.example/b/c', { A: '' }, [null, 'url']],
    ['Target,Campaign\nhttps://a.example,b.example', { Campaign: 'url' }, [null, 'url']],
    [
      'A,B,C\nx,https://s.example/a,https://a.example/b/c',
      { A: 'shortUrl' },
      ['shortUrl', null, 'url'],
    ],
  ])('knows what the columns of %j mean', async (text, chosen, meanings) => {
    const { columns } = await readImport(text, chosen);
    expect(columns?.map(({ meaning }) => meaning)).toEqual(meanings);
  });

  it.each([
    ['A,B\nhttps://bit.ly/x,1\nhttps://other.example/x,2', 'csv'],
    ['id,slug,url,created_at,updated_at\n1,a,https://a.example,,', 'csv'],
  ])('takes %j for a table of no service', async (text, format) => {
    expect((await readImport(text)).format).toBe(format);
  });

  it('a text keeps its apostrophe, and a list has no columns', async () => {
    const { rows } = await readImport("url,title\na.example,'=1");
    expect(rows[0]?.title).toBe("'=1");
    expect((await readImport('a.example')).columns).toBeUndefined();
  });

  it('reads the links of a dump, and none without a code', async () => {
    const { rows } = await readImport(
      String.raw`INSERT INTO y_url VALUES ('a','https://a.example','x\ny','2024-01-01','',0);`,
    );
    expect(rows).toMatchObject([{ code: 'a', title: 'x y' }]);
    const text = 'INSERT INTO `y_url` (`id`, `url`) VALUES (1, "https://a.example");';
    await expect(readImport(text)).rejects.toThrow('no links of YOURLS');
  });

  it('bookmarks have the folder and the text that stand at them', async () => {
    const { rows, losses } = await readImport(`<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p><DT><A HREF="https://a.example">A&AMP;&#x42;&#1114112;</A>
<DT><H3>Inner</H3><DD>About the folder
<DL><p><DT><A HREF="https://b.example">B</A><DD>About B</DL><p>
<DT><A HREF="https://c.example">C</A></DL><p>`);
    expect(rows.map(({ title, note }) => [title, note])).toEqual([
      ['A&B&#1114112;', undefined],
      ['B', 'About B'],
      ['C', undefined],
    ]);
    expect(losses).toEqual([{ text: 'Field “Folder”: not kept', links: 1 }]);
  });
});
