import { ExternalLink } from '#web/ui/external-link.tsx';
import { splitLinks } from './link-parts.ts';

/** The text of a post with its line breaks. Web addresses become links; everything else is plain text (SECURITY.md T18). */
export function PostContent({ content }: { content: string }) {
  return (
    <div dir="auto" className="prose-hop [overflow-wrap:anywhere] whitespace-pre-wrap text-ink">
      {splitLinks(content).map((part) =>
        part.kind === 'link' ? (
          <ExternalLink key={part.start} href={part.text} rel="noopener noreferrer nofollow">
            {part.text}
          </ExternalLink>
        ) : (
          part.text
        ),
      )}
    </div>
  );
}
