import type { ReactNode } from 'react';

type CardPreviewProps = {
  title: string;
  description: string;
  image: string | null;
  /** The host of the destination, which every card shows. */
  host: string;
  shortHost: string;
};

/** How networks show a card. They change their designs, so these are sketches. */
export function CardPreview({ title, description, image, host, shortHost }: CardPreviewProps) {
  const shownTitle = title === '' ? 'Title' : title;
  const text = description === '' ? host : `${host} · ${description}`;
  const picture = image !== null && (
    <img src={image} alt="" className="aspect-[1200/630] w-full bg-raised object-cover" />
  );
  return (
    <section aria-label="Preview" className="grid gap-4 sm:grid-cols-2">
      <Sketch name="WhatsApp, Messages, Facebook">
        {picture}
        <div className="space-y-0.5 p-2.5">
          <p className="line-clamp-2 font-medium text-ink">{shownTitle}</p>
          <p className="line-clamp-2 text-ink-2">{text}</p>
          <p className="text-12 text-ink-3">{shortHost}</p>
        </div>
      </Sketch>
      <Sketch name="Slack, Discord, Telegram">
        <div className="space-y-0.5 border-s-4 border-line p-2.5">
          <p className="text-12 text-ink-3">{host}</p>
          <p className="line-clamp-2 font-medium text-ink">{shownTitle}</p>
          <p className="line-clamp-3 text-ink-2">{text}</p>
          {picture !== false && <div className="overflow-hidden rounded-sm pt-1">{picture}</div>}
        </div>
      </Sketch>
    </section>
  );
}

const Sketch = ({ name, children }: { name: string; children: ReactNode }) => (
  <figure className="min-w-0">
    <figcaption className="mb-1.5 text-12 text-ink-3">{name}</figcaption>
    <div className="overflow-hidden rounded-md border border-line bg-paper text-13 [overflow-wrap:anywhere]">
      {children}
    </div>
  </figure>
);
