import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { config } from '#web/shared/config.ts';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { CodeBlock, Marked } from './code-block.tsx';
import { curlOfOperation } from './quick-starts.ts';
import type { ReferenceField, OperationText } from './reference.ts';

const METHOD_TONES: Readonly<Record<string, string>> = { GET: 'text-accent', DELETE: 'text-bad' };

export const Method = ({ method }: { method: string }) => (
  <span className={clsx('font-mono text-12 font-semibold', METHOD_TONES[method] ?? 'text-good')}>
    {method}
  </span>
);

/** Shows an API operation with its parameters, its responses, and a request to copy. */
export function OperationSection({
  operation,
  apiKey,
}: {
  operation: OperationText;
  apiKey: string;
}) {
  const { id, method, path, summary, text, query, body, answers, errors } = operation;
  return (
    <section aria-labelledby={id} className="mt-8 border-t border-line pt-8">
      <h3 id={id} className="scroll-mt-20 text-16 font-semibold text-ink">
        {summary}
      </h3>
      <p className="mt-1.5 flex flex-wrap items-baseline gap-x-2 font-mono text-13 [overflow-wrap:anywhere]">
        <Method method={method} /> <span dir="ltr">{path}</span>
      </p>
      <p className="mt-2">
        <Marked text={text} />
      </p>
      <Input title="Query" fields={query} />
      <Input title="Body" fields={body} />
      <CodeBlock
        code={curlOfOperation(operation, config.appOrigin, apiKey)}
        name={`the request “${summary}”`}
      />
      {answers.map((answer) => (
        <div key={answer.status} className="mt-4">
          <p>
            <span className="font-mono text-13 font-medium text-good">{answer.status}</span>{' '}
            <Marked text={answer.text} /> <Shape type={answer.type} />
          </p>
          {answer.fields.length > 0 && (
            <details className="group mt-1.5">
              <summary className="inline-flex list-none items-center gap-1 rounded-md text-13 text-accent [&::-webkit-details-marker]:hidden">
                Members of the answer
                <ChevronDown className="size-4 transition-transform duration-150 group-open:rotate-180" />
              </summary>
              <Fields fields={answer.fields} />
            </details>
          )}
        </div>
      ))}
      {errors.length > 0 && (
        <p className="mt-4 text-13 text-ink-3">
          Errors: <Errors errors={errors} />
        </p>
      )}
    </section>
  );
}

export function Errors({ errors }: Pick<OperationText, 'errors'>) {
  return errors.map(({ code, status }, index) => (
    <span key={code}>
      {index > 0 && ', '}
      {status}{' '}
      <a href={`/api/v1/errors#${code}`} className={clsx(textLinkClass, 'font-mono text-12')}>
        {code}
      </a>
    </span>
  ));
}

function Input({ title, fields }: { title: string; fields: readonly ReferenceField[] }) {
  if (fields.length === 0) return null;
  return (
    <>
      <p className="mt-4 text-13 font-medium text-ink">{title}</p>
      <Fields fields={fields} />
    </>
  );
}

/** Links the name of a shape. Other types are plain text. */
function Shape({ type }: { type: string }) {
  const name = type.replace('[]', '');
  if (!/^[A-Z]\w+$/.test(name) || name === 'URL')
    return type === 'object' ? null : <span className="text-ink-3">{type}</span>;
  return (
    <a href={`#shape-${name}`} className={textLinkClass}>
      {type}
    </a>
  );
}

export function Fields({ fields }: { fields: readonly ReferenceField[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface text-13 leading-5">
      {fields.map(({ name, type, isRequired, text }) => (
        <div
          key={name}
          className="grid gap-x-6 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,14rem)_1fr]"
        >
          <dt className="font-mono [overflow-wrap:anywhere] text-ink">
            <bdi>{name}</bdi>
            {isRequired && <span className="ms-2 font-sans text-12 text-ink-3"> required</span>}
          </dt>
          <dd className="min-w-0 [overflow-wrap:anywhere] text-ink-3">
            <bdi dir="ltr">
              <Shape type={type === 'object' ? 'object ' : type} />
            </bdi>
            {text !== '' && (
              <p className="text-ink-2">
                <Marked text={text} />
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
