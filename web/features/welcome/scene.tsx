import type { ReactNode } from 'react';

export const sectionTitleClass = 'text-24 font-semibold tracking-tight sm:text-32';

/** A section of Home: what the product does, and beside it a picture that shows it. */
export function Scene({
  id,
  title,
  picture,
  pictureFirst = false,
  children,
}: {
  id: string;
  title: string;
  picture: ReactNode;
  /** True if the picture is on the left where there is room for both. */
  pictureFirst?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-20 items-center gap-x-16 gap-y-8 lg:grid-cols-2"
    >
      <div className="space-y-3">
        <h2 id={`${id}-title`} className={sectionTitleClass}>
          {title}
        </h2>
        {children}
      </div>
      <div
        aria-hidden="true"
        className={`flex min-w-0 items-center justify-center overflow-hidden rounded-lg border border-line bg-sunken px-4 py-8 sm:p-10 ${pictureFirst ? 'lg:order-first' : ''}`}
      >
        {picture}
      </div>
    </section>
  );
}

export const sceneTextClass = 'max-w-[46ch] text-16 text-ink-2';
