import { ExternalLink, textLinkClass } from '#web/ui/external-link.tsx';
import { splitLinks } from './link-parts.ts';

/** A post's text: line breaks kept, web addresses as links, nothing of it read as markup (threat 18). */
export function PostContent({ content }: { content: string }) {
  return (
    <div className="prose-hop [overflow-wrap:anywhere] whitespace-pre-wrap text-ink">
      {splitLinks(content).map((part) =>
        part.kind === 'link' ? (
          <ExternalLink key={part.at} href={part.text} rel="noopener noreferrer nofollow" className={textLinkClass}>
            {part.text}
          </ExternalLink>
        ) : (
          part.text
        ),
      )}
    </div>
  );
}
