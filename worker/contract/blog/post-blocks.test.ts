import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePost, plainText, proseText, type PostBlock } from './post-blocks.ts';
import type { Inline } from './post-inline.ts';

/** The tree in few characters: `h2(A)`, `ul(p(a))`, `link(https://a.example/|text)`. */
const showInline = (parts: readonly Inline[]): string =>
  parts
    .map((part) => {
      if (part.kind === 'break') return '⏎';
      if (part.kind === 'code') return `code(${part.text})`;
      if (part.kind === 'link') return `link(${part.href}|${showInline(part.children)})`;
      return 'children' in part ? `${part.kind}(${showInline(part.children)})` : part.text;
    })
    .join('');

const showBlock = (block: PostBlock): string => {
  switch (block.kind) {
    case 'heading':
      return `h${block.level}(${showInline(block.children)})`;
    case 'paragraph':
      return `p(${showInline(block.children)})`;
    case 'code':
      return `pre(${block.text})`;
    case 'quote':
      return `quote(${block.blocks.map(showBlock).join('')})`;
    case 'list':
      return `${block.start === null ? 'ul' : `ol${block.start}`}(${block.items
        .map((item) => `li(${item.map(showBlock).join('')})`)
        .join('')})`;
  }
};
const show = (content: string): string => parsePost(content).map(showBlock).join('');

describe('parsePost', () => {
  it('keeps the line breaks, indents and empty lines of plain text', () => {
    expect(show('One\n  two\n\nThree')).toBe('p(One⏎  two)p(Three)');
    expect(show('One\r\ntwo\r\n\r\n\r\n\r\nThree')).toBe('p(One⏎two)p(⏎⏎Three)');
    expect(show('\n\nOne\n')).toBe('p(One)');
    expect(show('')).toBe('');
  });

  it.each([
    'A #hashtag, # 1, and 2 * 3 * 4',
    '5*3*2 and snake_case_name',
    '*a*b and **c**d',
    'a*b* and c**d**',
    'x * a* and *b *',
    'An [aside] (not a link) and x[0](y)',
    String.raw`C:\temp\new and \server`,
    '<b>bold</b> &amp; <script>alert(1)</script>',
    '**not closed, and *nor this',
    '`not closed',
    '****',
    '- ',
    '-no item',
    '--- the end ---',
    '[](https://a.example)',
    'Tom & "Jerry"',
  ])('%s stays as it is', (text) => {
    expect(show(text)).toBe(`p(${text})`);
  });

  it('reads headings of two levels below the title', () => {
    expect(show('# A\n## B\n### C *d*\ntext')).toBe('h2(A)h2(B)h3(C emphasis(d))p(text)');
    expect(show('#### four')).toBe('p(#### four)');
  });

  it('reads lists, also within each other, and further lines of an item', () => {
    expect(show('Before:\n- a\n- b\n  more\nafter')).toBe(
      'p(Before:)ul(li(p(a))li(p(b⏎more)))p(after)',
    );
    expect(show('3. c\n4. d')).toBe('ol3(li(p(c))li(p(d)))');
    expect(show('- a\n  1. b\n\n  2. c\n\n- d\n1. e')).toBe(
      'ul(li(p(a)ol1(li(p(b))li(p(c))))li(p(d)))ol1(li(p(e)))',
    );
    expect(show('- a\n\nb')).toBe('ul(li(p(a)))p(b)');
    expect(show('It was\n1986. A year')).toBe('p(It was⏎1986. A year)');
  });

  it('nests items by two spaces, by four, and by tabs', () => {
    const nested = 'ul(li(p(a)ul(li(p(b)ul(li(p(c)))))))';
    for (const step of ['  ', '   ', '    ', '\t'])
      expect(show(`- a\n${step}- b\n${step}${step}- c`), `“${step}”`).toBe(nested);
    expect(show('- a\n  more\n    - b\n  - c')).toBe('ul(li(p(a⏎more)ul(li(p(b))li(p(c)))))');
    expect(show('- a\n\n  b\n- c\n')).toBe('ul(li(p(a)p(b))li(p(c)))');
    expect(show('- a\n  ```\n    b\n  ```')).toBe('ul(li(p(a)pre(  b)))');
  });

  it('reads quotes with blocks inside', () => {
    expect(show('> a\n> b\n>\n> - c\nd')).toBe('quote(p(a⏎b)ul(li(p(c))))p(d)');
  });

  it('[T56] reads lists and quotes three deep, and leaves deeper ones as text', () => {
    expect(show('> > > > a')).toBe('quote(quote(quote(p(> a))))');
    expect(show('- - - - a')).toBe('ul(li(ul(li(ul(li(p(- a)))))))');
    expect(parsePost('> '.repeat(50_000))).toHaveLength(1);
  });

  it('reads code, in which nothing else means anything', () => {
    expect(show('```sh\n# a\n\n- **b**\n```\nc')).toBe('pre(# a\n\n- **b**)p(c)');
    expect(show('`a\nb\nc`, `  ` and ` `` `')).toBe('p(code(a b c), code(  ) and code(``))');
    expect(show('a `**b**` and `` c`d ``')).toBe('p(a code(**b**) and code(c`d))');
    expect(show('```\nnever closed')).toBe('p(```⏎never closed)');
  });

  it('reads emphasis; a backslash takes the meaning of a sign away', () => {
    expect(show('**a** and *b **c** d*.')).toBe('p(strong(a) and emphasis(b strong(c) d).)');
    expect(show(String.raw`\*a\* \# \[b](https://c.example) 1\. \`d\``)).toBe(
      'p(*a* # [b](https://c.example) 1. `d`)',
    );
    expect(show('**see https://a.example/*x**.')).toBe('p(strong(see https://a.example/*x).)');
    expect(show('**a *b** c')).toBe('p(strong(a *b) c)');
  });

  it('[T18] links lead to http, https and mailto only', () => {
    expect(show('[a *b*](https://a.example/x_(y)?z)')).toBe(
      'p(link(https://a.example/x_(y)?z|a emphasis(b)))',
    );
    expect(show('[m](mailto:a@b.example), [h](HTTP://a.example)')).toBe(
      'p(link(mailto:a@b.example|m), link(http://a.example/|h))',
    );
    for (const target of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '/pricing',
      '//a.example',
      'a.example',
      'ftp://a.example',
      `https://a.example/(${'x'.repeat(2029)})`,
    ])
      expect(show(`[a](${target})`)).toBe(`p([a](${target}))`);
  });

  it('[T18] every character of a text without markup is kept, whatever the text', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '*',
      '**',
      '`',
      '[',
      ']',
      '](',
      ')',
      '# ',
      '> ',
      '- ',
      '1. ',
      '```\n',
      '\\',
      'https://a.example/',
      'javascript:x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const content = pieces.join('');
        const letters = (text: string) => text.replaceAll(/[^a]/g, '').length;
        const text = plainText(parsePost(content));
        // Addresses of links are no text of the post.
        expect(letters(text)).toBeLessThanOrEqual(letters(content));
        if (!/\]\(|```/.test(content)) expect(letters(text)).toBe(letters(content));
      }),
      { seed: 1 },
    );
  });
});

describe('[T56] the time of parsePost', () => {
  // What is read again from each character takes minutes for these.
  it.each([
    '` ',
    '` x',
    '`` ` ',
    '*',
    '**a *b ',
    '[',
    '[](',
    '[a](https://a.example/(',
    'https://',
    'https://a.example/*',
    '#',
    '- ',
    '- a\n\n',
    '- a\n\n  ',
    '1. a\n',
    '> ',
    '> - > ',
    '```\n',
    '```a\n',
    '\\',
    '\n',
    '\t',
  ])('grows with the length of the text: 100,000 characters of %j', (unit) => {
    const run = unit.repeat(100_000 / unit.length);
    for (const text of [run, `${run}x`, `a\n${run}\n\`\`\``, `- ${run}`, `> ${run}`])
      expect(plainText(parsePost(text)).length).toBeLessThanOrEqual(text.length);
  });

  it('grows with the length of the text: 1,000,000 characters of code', () => {
    const code = 'x'.repeat(1_000_000);
    expect(plainText(parsePost(`\` ${code}\``))).toBe(` ${code}`);
  });
});

describe('plainText and proseText', () => {
  it('leave the markup out; an excerpt has no headings and no code', () => {
    const blocks = parsePost(
      '## Title\n\nA [link](https://a.example) and **b**\nc\n\n- d\n- e\n\n```\nf\n```',
    );
    expect(plainText(blocks)).toBe('Title\n\nA link and b\nc\n\nd\ne\n\nf');
    expect(proseText(blocks)).toBe('A link and b\nc\n\nd\ne');
    expect(proseText(parsePost('## Title'))).toBe('Title');
  });
});
