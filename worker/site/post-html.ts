import { parsePost, type PostBlock } from '#contract/blog/post-blocks.ts';
import type { Inline } from '#contract/blog/post-inline.ts';
import { escapeHtml } from '#worker/html.ts';
import { LINK_ATTRIBUTES, linkedHtml } from './linked-html.ts';

/**
 * The text of a post as HTML, for its page and the feed. Everything that was typed is escaped; the
 * only elements are those below, without any attribute that was typed but a link's address
 * (SECURITY.md T18). `web/features/blog/post-content.tsx` renders the same tree.
 */
export const postHtml = (content: string): string => blocksHtml(parsePost(content));

const blocksHtml = (blocks: readonly PostBlock[]): string => blocks.map(blockHtml).join('');

function blockHtml(block: PostBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${inlineHtml(block.children)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${inlineHtml(block.children)}</p>`;
    case 'quote':
      return `<blockquote>${blocksHtml(block.blocks)}</blockquote>`;
    case 'code':
      return `<pre tabindex="0"><code>${escapeHtml(block.text)}</code></pre>`;
    case 'list': {
      const items = block.items.map((item) => `<li>${blocksHtml(item)}</li>`).join('');
      return block.start === null
        ? `<ul>${items}</ul>`
        : `<ol start="${block.start}">${items}</ol>`;
    }
  }
}

/** Addresses in the text become links, but not inside a link. */
const inlineHtml = (parts: readonly Inline[], textHtml = linkedHtml): string =>
  parts
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return textHtml(part.text);
        case 'break':
          return '<br>';
        case 'code':
          return `<code>${escapeHtml(part.text)}</code>`;
        case 'strong':
          return `<strong>${inlineHtml(part.children, textHtml)}</strong>`;
        case 'emphasis':
          return `<em>${inlineHtml(part.children, textHtml)}</em>`;
        case 'link':
          return `<a ${LINK_ATTRIBUTES} href="${escapeHtml(part.href)}">${inlineHtml(part.children, escapeHtml)}</a>`;
      }
    })
    .join('');
