import type { ReactNode } from 'react';
import type { PageSetting } from '#contract/pages/page-templates.ts';
import { When } from '#web/shared/page/block.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

/** A text page: a heading, an introduction, and one column of 65 characters. */
export function Prose({
  title,
  hint,
  children,
}: {
  title: string;
  hint: ReactNode;
  children: ReactNode;
}) {
  return (
    <article className="max-w-reading">
      <PageHeading title={title} hint={hint} />
      <div className="max-w-[65ch] text-16 leading-7 text-ink-2">{children}</div>
    </article>
  );
}

/** A section of a text page. Links can point to its `id`. */
export function Section({
  id,
  title,
  children,
}: {
  id: string;
  title: string;
  children: ReactNode;
}) {
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
  return <ul className="list-disc space-y-1.5 ps-5 marker:text-ink-3">{children}</ul>;
}

export function Strong({ children }: { children: ReactNode }) {
  return <strong className="font-medium text-ink">{children}</strong>;
}

/** A fact with a `setting` only shows if that setting is on. */
export type FactItem = { name: string; value: ReactNode; setting?: PageSetting };

export function FactList({ items }: { items: readonly FactItem[] }) {
  return (
    <dl className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface text-14 leading-6">
      {items.map(({ setting, ...fact }) =>
        setting === undefined ? (
          <FactRow key={fact.name} {...fact} />
        ) : (
          <When key={fact.name} setting={setting}>
            <FactRow {...fact} />
          </When>
        ),
      )}
    </dl>
  );
}

function FactRow({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div className="grid gap-x-6 px-4 py-3 sm:grid-cols-[14rem_1fr]">
      <dt className="text-ink-2">{name}</dt>
      <dd className="text-ink">{value}</dd>
    </div>
  );
}
