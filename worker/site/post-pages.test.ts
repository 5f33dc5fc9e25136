import { env } from 'cloudflare:test';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { postHtml } from './post-html.ts';

const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const TAG = 'c++ & "co"';

beforeAll(async () => {
  const row = { published: true, created_at: at - DAY_MS, updated_at: at + 1000, published_at: at };
  await openDb(env.DB)
    .insert(posts)
    .values([
      {
        ...row,
        slug: 'formatted',
        title: 'Formatted',
        content:
          '## Why <b>\n\n- [a](https://a.example/?b&c)\n- `x<y`\n\n> hop-post-title\n\nOne\ntwo',
        excerpt: 'In short & good.',
        author: 'Asha <Rao>',
        tags: [TAG, 'hop-post-title'],
      },
      { ...row, slug: 'plain', title: 'Plain', content: '# Head\n\nSome **text**.' },
    ]);
});

const text = async (path: string): Promise<string> => {
  const init = { headers: { 'Sec-Fetch-Mode': 'navigate' } };
  return (await call(path, init, builtAssets)).text();
};

describe('the page of a post', () => {
  it('a page has headings, lists, quotes, code and links in its HTML', async () => {
    expect(await text('/blog/formatted')).toContain(
      '<h2>Why &lt;b&gt;</h2><ul><li><p><a target="_blank" rel="noopener noreferrer nofollow" href="https://a.example/?b&amp;c">a</a></p></li><li><p><code>x&lt;y</code></p></li></ul><blockquote><p>hop-post-title</p></blockquote><p>One<br>two</p>',
    );
  });

  it('names the author and leads to the posts with its tags', async () => {
    const html = await text('/blog/formatted');
    expect(html).toContain(' by Asha &lt;Rao&gt;');
    expect(html).toContain(
      '<a href="/blogs?tag=c%2B%2B%20%26%20%22co%22">c++ &amp; &quot;co&quot;</a>',
    );
    expect(html).toContain('<a href="/blogs?tag=hop-post-title">hop-post-title</a>');
    expect(await text('/blog/plain')).not.toMatch(/ by |\?tag=/);
  });

  it('describes the article to search engines and social networks', async () => {
    const html = await text('/blog/formatted');
    expect(html).toContain('<meta name="description" content="In short &amp; good.">');
    expect(html).toContain('<meta name="author" content="Asha &lt;Rao&gt;">');
    expect(html).toContain('<meta property="article:tag" content="c++ &amp; &quot;co&quot;">');
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '';
    expect(data).not.toContain('<');
    const [, picture = ''] = /<meta property="og:image" content="([^"]*)">/.exec(html) ?? [];
    expect(picture).toMatch(new RegExp(`/blog/formatted/picture\\.png\\?v=${at + 1000}$`));
    expect(html).toContain(`<meta name="twitter:image" content="${picture}">`);
    expect(html).toContain('<meta property="og:image:alt" content="Formatted">');
    expect(JSON.parse(data)).toMatchObject({
      image: picture,
      mainEntityOfPage: 'http://localhost:8787/blog/formatted',
      publisher: { '@type': 'Organization', name: 'Hop' },
      '@type': 'BlogPosting',
      headline: 'Formatted',
      description: 'In short & good.',
      url: 'http://localhost:8787/blog/formatted',
      datePublished: '2026-01-02T03:04:05.000Z',
      dateModified: '2026-01-02T03:04:06.000Z',
      author: { '@type': 'Person', name: 'Asha <Rao>' },
      keywords: `${TAG}, hop-post-title`,
    });
    expect(await text('/blog/plain')).not.toMatch(/name="author"|article:tag|keywords/);
    expect(await text('/pricing')).not.toContain('ld+json');
  });
});

describe('the list of posts', () => {
  it('a list has the chosen excerpt, or the beginning of the text without markup', async () => {
    const html = await text('/blogs');
    expect(html).toContain('<p>In short &amp; good.</p>');
    expect(html).toContain('<p>Some text.</p>');
    expect(html).not.toContain('Posts tagged');
  });

  it('a list has only the posts with a tag; its canonical address is that of all', async () => {
    const html = await text(`/blogs?tag=${encodeURIComponent(TAG)}`);
    expect(html).toContain('Posts tagged c++ &amp; &quot;co&quot;');
    expect(html).toContain('href="/blog/formatted"');
    expect(html).not.toContain('href="/blog/plain"');
    expect(html).toContain('<link rel="canonical" href="http://localhost:8787/blogs">');
    for (const none of ['none', 'a'.repeat(30)])
      expect(await text(`/blogs?tag=${none}`)).not.toContain('href="/blog/');
    expect(await text(`/blogs?tag=${'a'.repeat(31)}`)).toContain('href="/blog/plain"');
  });
});

describe('the feed', () => {
  it('an item has the author, the tags, the excerpt and the formatted text', async () => {
    const xml = await text('/feed.xml');
    expect(xml).toContain('<dc:creator>Asha &lt;Rao&gt;</dc:creator>');
    expect(xml).toContain('<category>c++ &amp; &quot;co&quot;</category>');
    expect(xml).toContain('<description>In short &amp; good.</description>');
    expect(xml).toContain('&lt;h2&gt;Why &amp;lt;b&amp;gt;&lt;/h2&gt;&lt;ul&gt;');
    expect(xml.match(/<dc:creator>/g)).toHaveLength(1);
  });
});

describe('postHtml', () => {
  it('numbers a list from its first number, and shows lines of code as they are', () => {
    expect(postHtml('3. a\n   - b\n\n```\n<c>\n```')).toBe(
      '<ol start="3"><li><p>a</p><ul><li><p>b</p></li></ul></li></ol><pre tabindex="0"><code>&lt;c&gt;</code></pre>',
    );
    expect(postHtml('[*a* https://b.example](https://c.example) **d**')).toBe(
      '<p><a target="_blank" rel="noopener noreferrer nofollow" href="https://c.example/"><em>a</em> https://b.example</a> <strong>d</strong></p>',
    );
  });

  it('[T18] contains no other markup, whatever the text', () => {
    const piece = fc.constantFrom(
      '<script>alert(1)</script>',
      '[<img src=x>](https://b.example)',
      '[a](https://b.example/"onclick="x)',
      `[a](mailto:"onclick='x)`,
      '[a](javascript:alert(1))',
      '![a](https://b.example/c.png)',
      'https://b.example/"x',
      '`<b>`',
      "' onclick=",
      '&lt;',
      '\n```\n</code>"\n```\n',
      '\n## ',
      '\n> ',
      '\n- ',
      '\n1. ',
      '\n\n',
      '**',
      '*',
      '[',
      '](',
      ')',
    );
    const link =
      /<a target="_blank" rel="noopener noreferrer nofollow" href="(?:https:|mailto:)[^"<>]*">/g;
    const element =
      /<\/?(?:p|h2|h3|ul|li|blockquote|code|strong|em)>|<br>|<ol start="\d+">|<pre tabindex="0">|<\/(?:ol|pre|a)>/g;
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const rest = postHtml(pieces.join('')).replaceAll(link, '').replaceAll(element, '');
        expect(rest).not.toMatch(/[<>"']/);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
