import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { CodeBlock, Marked } from './code-block.tsx';
import type { Guide } from './guides.ts';

/** A heading with text, and samples beside it on wide screens. */
export function DocsSection({
  id,
  title,
  level = 2,
  samples,
  wide,
  children,
}: {
  id: string;
  title: string;
  level?: 2 | 3;
  samples?: ReactNode;
  /** Stands below, in the width of text and samples. */
  wide?: ReactNode;
  children: ReactNode;
}) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section
      aria-labelledby={id}
      className="mt-10 border-t border-line pt-10 first:mt-0 first:border-0 first:pt-0 min-[75rem]:grid min-[75rem]:grid-cols-[minmax(0,1fr)_minmax(0,25rem)] min-[75rem]:gap-x-10"
    >
      <div className="min-w-0">
        <Heading
          id={id}
          className={clsx(
            'mb-3 scroll-mt-32 lg:scroll-mt-20 font-semibold text-ink',
            level === 2 ? 'text-20 tracking-tight' : 'text-16',
          )}
        >
          {title}
        </Heading>
        {children}
      </div>
      {samples !== undefined && (
        <div className="min-w-0 min-[75rem]:sticky min-[75rem]:top-20 min-[75rem]:-mt-3 min-[75rem]:self-start">
          {samples}
        </div>
      )}
      {wide !== undefined && <div className="mt-6 min-w-0 min-[75rem]:col-span-2">{wide}</div>}
    </section>
  );
}

export function GuideSection({
  guide,
  wide,
  children,
}: {
  guide: Guide;
  wide?: ReactNode;
  children?: ReactNode;
}) {
  const { id, title, text, sample, answer } = guide;
  const samples = (sample !== undefined || answer !== undefined) && (
    <>
      {sample !== undefined && <CodeBlock code={sample} name={`the sample “${title}”`} />}
      {answer !== undefined && <AnswerBlock answer={answer} name={`the answer “${title}”`} />}
    </>
  );
  return (
    <DocsSection id={id} title={title} wide={wide} {...(samples === false ? {} : { samples })}>
      <div className="space-y-3">
        {text.map((block) =>
          typeof block === 'string' ? (
            <p key={block}>
              <Marked text={block} />
            </p>
          ) : (
            <ul key={block[0]} className="list-disc space-y-1.5 ps-5 marker:text-ink-3">
              {block.map((item) => (
                <li key={item}>
                  <Marked text={item} />
                </li>
              ))}
            </ul>
          ),
        )}
        {children}
      </div>
    </DocsSection>
  );
}

export function AnswerBlock({
  answer,
  status,
  name,
  label = 'Answer',
}: {
  answer: unknown;
  status?: string;
  name: string;
  label?: string;
}) {
  return (
    <CodeBlock
      code={JSON.stringify(answer, null, 2)}
      name={name}
      label={
        <>
          {label} {status !== undefined && <span className="font-mono text-good">{status}</span>}
        </>
      }
    />
  );
}
