import { createElement, Fragment, type ReactNode } from 'react';
import { parsePost, type Block } from '#contract/post-blocks.ts';
import type { Inline } from '#contract/post-inline.ts';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { splitLinks } from './link-parts.ts';

/**
 * Shows the text of a post (`worker/contract/post-blocks.ts`). Web addresses become links; the only
 * elements are those below (SECURITY.md T18). `worker/site/post-html.ts` writes the same tree.
 */
export function PostContent({ content }: { content: string }) {
  return (
    <div dir="auto" className="prose-hop text-ink">
      {blocksOf(parsePost(content))}
    </div>
  );
}

/** The parts of a text never change their order, so their place is their key. */
const keyed = (parts: readonly ReactNode[]): ReactNode[] =>
  // oxlint-disable-next-line react/no-array-index-key -- see above
  parts.map((part, index) => <Fragment key={index}>{part}</Fragment>);

const blocksOf = (blocks: readonly Block[]): ReactNode[] => keyed(blocks.map(blockOf));

function blockOf(block: Block): ReactNode {
  switch (block.kind) {
    case 'heading':
      return createElement(`h${block.level}`, null, ...inlineOf(block.children));
    case 'paragraph':
      return <p>{inlineOf(block.children)}</p>;
    case 'quote':
      return <blockquote>{blocksOf(block.blocks)}</blockquote>;
    case 'code':
      return (
        // Long lines scroll, which the keyboard can do in an element that takes the focus.
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'list': {
      const items = keyed(block.items.map((item) => <li>{blocksOf(item)}</li>));
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
  }
}

/** Addresses in the text become links, but not inside a link. */
const inlineOf = (parts: readonly Inline[], textOf = linkedText): ReactNode[] =>
  keyed(
    parts.map((part) => {
      switch (part.kind) {
        case 'text':
          return textOf(part.text);
        case 'break':
          return <br />;
        case 'code':
          return <code>{part.text}</code>;
        case 'strong':
          return <strong>{inlineOf(part.children, textOf)}</strong>;
        case 'emphasis':
          return <em>{inlineOf(part.children, textOf)}</em>;
        case 'link':
          return (
            <ExternalLink href={part.href} rel={REL}>
              {inlineOf(part.children, (text) => text)}
            </ExternalLink>
          );
      }
    }),
  );

const REL = 'noopener noreferrer nofollow';

const linkedText = (text: string): ReactNode =>
  splitLinks(text).map((part) =>
    part.kind === 'link' ? (
      <ExternalLink key={part.start} href={part.text} rel={REL}>
        {part.text}
      </ExternalLink>
    ) : (
      part.text
    ),
  );
