import { Fragment, type ReactNode } from 'react';
import { parsePost, type PostBlock } from '#contract/blog/post-blocks.ts';
import type { Inline } from '#contract/blog/post-inline.ts';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { splitLinks } from './link-parts.ts';

/**
 * Shows the text of a post (`worker/contract/blog/post-blocks.ts`). Web addresses become links; the only
 * elements are those below (SECURITY.md T18). `worker/site/post-html.ts` writes the same tree.
 */
export function PostContent({ content }: { content: string }) {
  return (
    <div dir="auto" className="prose-hop text-ink">
      {showBlocks(parsePost(content))}
    </div>
  );
}

/** The parts of a text never change their order, so their place is their key. */
const inOrder = <Part,>(parts: readonly Part[], show: (part: Part) => ReactNode): ReactNode[] =>
  // oxlint-disable-next-line react/no-array-index-key -- see above
  parts.map((part, index) => <Fragment key={index}>{show(part)}</Fragment>);

const showBlocks = (blocks: readonly PostBlock[]): ReactNode[] => inOrder(blocks, showBlock);

function showBlock(block: PostBlock): ReactNode {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${block.level}` as const;
      return <Heading>{showInline(block.children)}</Heading>;
    }
    case 'paragraph':
      return <p>{showInline(block.children)}</p>;
    case 'quote':
      return <blockquote>{showBlocks(block.blocks)}</blockquote>;
    case 'code':
      return (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, also by keyboard
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'list': {
      const items = inOrder(block.items, (item) => <li>{showBlocks(item)}</li>);
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
  }
}

const showInline = (parts: readonly Inline[]): ReactNode[] =>
  inOrder(parts, (part) => showPart(part, linkedText));

/** Addresses in the text become links, but not inside a link. */
function showPart(part: Inline, showText: (text: string) => ReactNode): ReactNode {
  const inner = (children: readonly Inline[], show = showText): ReactNode[] =>
    inOrder(children, (child) => showPart(child, show));
  switch (part.kind) {
    case 'text':
      return showText(part.text);
    case 'break':
      return <br />;
    case 'code':
      return <code>{part.text}</code>;
    case 'strong':
      return <strong>{inner(part.children)}</strong>;
    case 'emphasis':
      return <em>{inner(part.children)}</em>;
    case 'link':
      return (
        <ExternalLink href={part.href} rel={REL}>
          {inner(part.children, (text) => text)}
        </ExternalLink>
      );
  }
}

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
