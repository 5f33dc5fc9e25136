import { Fragment } from 'react';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { splitLinks } from './link-parts.ts';

/**
 * Shows the text of a post with its paragraphs and line breaks. Web addresses become links;
 * everything else stays plain text (SECURITY.md T18).
 */
export function PostContent({ content }: { content: string }) {
  return (
    <div
      dir="auto"
      className="prose-hop [overflow-wrap:anywhere] whitespace-pre-wrap text-ink [&>p]:min-h-[1lh] [&>p+p]:mt-[1lh]"
    >
      {content.split('\n\n').map((paragraph, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the paragraphs of a text never change their order
        <p key={index}>
          {splitLinks(paragraph).map((part) =>
            part.kind === 'link' ? (
              <ExternalLink key={part.start} href={part.text} rel="noopener noreferrer nofollow">
                {part.text}
              </ExternalLink>
            ) : (
              <Lines key={part.start} text={part.text} />
            ),
          )}
        </p>
      ))}
    </div>
  );
}

function Lines({ text }: { text: string }) {
  return text.split('\n').map((line, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the lines of a text never change their order
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ));
}
