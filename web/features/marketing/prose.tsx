import type { ReactNode } from 'react';
import { PageHeading } from '#web/ui/page-heading.tsx';

/** A page to read: one column of 65 characters, its heading, and a line below it. */
export function Prose({ title, hint, children }: { title: string; hint: ReactNode; children: ReactNode }) {
  return (
    <article className="mx-auto max-w-reading">
      <PageHeading title={title} hint={hint} />
      <div className="max-w-[65ch] text-16 leading-7 text-ink-2">{children}</div>
    </article>
  );
}

/** A part of such a page; its heading can be linked to. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-10 scroll-mt-20 [&>ol]:mt-3 [&>p]:mt-3 [&>ul]:mt-3">
      <h2 id={id} className="scroll-mt-20 text-20 font-semibold tracking-tight text-ink">
        {title}
      </h2>
      {children}
    </section>
  );
}

export function Points({ children }: { children: ReactNode }) {
  return <ul className="list-disc space-y-1.5 pl-5 marker:text-ink-3">{children}</ul>;
}

/** What the eye should find first in a paragraph. */
export function Strong({ children }: { children: ReactNode }) {
  return <strong className="font-medium text-ink">{children}</strong>;
}

/** Names and values as a list that stays readable on a phone: what is kept, and for how long. */
export function Facts({ items }: { items: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface text-14 leading-6">
      {items.map(({ name, value }) => (
        <div key={name} className="grid gap-x-6 px-4 py-3 sm:grid-cols-[14rem_1fr]">
          <dt className="text-ink-2">{name}</dt>
          <dd className="text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
