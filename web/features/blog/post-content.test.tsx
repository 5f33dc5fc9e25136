import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { PostContent } from './post-content.tsx';

afterEach(cleanup);

const html = (content: string): string => {
  const { container } = render(<PostContent content={content} />);
  return container.firstElementChild?.innerHTML ?? '';
};
const link = (href: string, text: string): string =>
  `<a target="_blank" rel="noopener noreferrer nofollow" href="${href}">${text}</a>`;

describe('PostContent', () => {
  it('plain text keeps its lines, and web addresses become links', () => {
    expect(html('One & <b>two</b>\n  https://a.example/x.\n\nThree')).toBe(
      `<p>One &amp; &lt;b&gt;two&lt;/b&gt;<br>  ${link('https://a.example/x', 'https://a.example/x')}.</p><p>Three</p>`,
    );
  });

  it('shows headings, lists, quotes, code, emphasis and links', () => {
    expect(html('## A\n### B\n> *c*\n\n2. d\n3. e\n   - f\n\n```\n<g>\n```')).toBe(
      '<h2>A</h2><h3>B</h3><blockquote><p><em>c</em></p></blockquote><ol start="2"><li><p>d</p></li><li><p>e</p><ul><li><p>f</p></li></ul></li></ol><pre tabindex="0"><code>&lt;g&gt;</code></pre>',
    );
    expect(html('[**https://a.example** https://b.example](https://c.example) `d`')).toBe(
      `<p>${link('https://c.example/', '<strong>https://a.example</strong> https://b.example')} <code>d</code></p>`,
    );
  });

  it('[T18] links lead nowhere but to http, https and mailto', () => {
    for (const href of ['javascript:alert(1)', 'data:text/html,x', '/x', '//x.example'])
      expect(html(`[a](${href})`)).not.toContain('<a ');
    expect(html('<img src=x onerror=alert(1)>')).not.toContain('<img');
  });
});

describe('parsing a post', () => {
  it.each([
    ['[', '](', '[a](', '[a](https://b('],
    ['*', '**a ', '*a', '`', '` ', '``a`'],
    ['> ', '- ', '  - a\n', '- a\n\n', '- a\n  - b\n', '> - > 1. a\n'],
    ['\n', '```\n', '```js\n', 'https://', 'https://a.', 'https://a.)*'],
  ])('[T56] takes time linear in the length of a text of %j …', async (...units) => {
    const { parsePost } = await import('#contract/blog/post-blocks.ts');
    for (const unit of units) {
      const start = performance.now();
      parsePost(`${unit.repeat(Math.ceil(100_000 / unit.length))}x`);
      // A second start at each character would take minutes.
      expect(performance.now() - start, unit).toBeLessThan(5_000);
    }
  });
});
