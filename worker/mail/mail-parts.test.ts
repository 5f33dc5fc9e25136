import { describe, expect, it } from 'vitest';
import { SITE_NAME } from '#contract/site.ts';
import { SAMPLE_MAILS } from '#worker/testing/sample-mails.ts';
import { FRAME } from './texts.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The words that a reader of the HTML part sees, with the address of each link behind its text. */
function wordsOfHtml(html: string): string[] {
  const [, body = ''] = /<body[^>]*>(.*)<\/body>/s.exec(html) ?? [];
  const text = body
    .replace(/<div style="display:none[^>]*>.*?<\/div>/s, '')
    .replaceAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs, (_, href: string, label: string) =>
      href === label ? '' : `${label} ${href}`,
    )
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(FRAME.copyLink, '')
    .replace(SITE_NAME, '');
  return wordsOf(text);
}

const wordsOfText = (text: string): string[] => wordsOf(text.replace(`— ${SITE_NAME}`, ''));

/** Without the marks of lists and of headings, which HTML has as elements. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(^|\n)- /g, '$1')
    .split(/\s+/)
    .map((word) => word.replace(/[:.]$/, ''))
    .filter((word) => word !== '');

describe.each(SAMPLE_MAILS)('the mail %s', (_, { html, text }) => {
  it('says the same in both parts, with the same links in the same order', () => {
    expect(wordsOfHtml(html)).toEqual(wordsOfText(text));
  });

  it('shows the mark as a picture with a size, and its name as text', () => {
    expect(html).toMatch(/<img src="[^"]+\.png" width="28" height="28" alt=""/);
    expect(html).toContain(`>${SITE_NAME}</td>`);
    expect(html).not.toContain('<svg');
  });
});
