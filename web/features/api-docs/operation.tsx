import { clsx } from 'clsx';
import { config } from '#web/shared/page/config.ts';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { CodeBlock, Marked } from './code-block.tsx';
import type { ReferenceField, OperationText } from './reference.ts';
import { sampleOf } from './samples.ts';
import { AnswerBlock, DocsSection } from './docs-section.tsx';

const METHOD_TONES: Readonly<Record<string, string>> = { GET: 'text-accent', DELETE: 'text-bad' };

export const Method = ({ method }: { method: string }) => (
  <span className={clsx('font-mono text-12 font-semibold', METHOD_TONES[method] ?? 'text-good')}>
    {method}
  </span>
);

/** Shows an API operation with its input and its answers, beside a request to copy. */
export function OperationSection({
  operation,
  apiKey,
}: {
  operation: OperationText;
  apiKey: string;
}) {
  const { id, method, path, summary, text, parameters, query, body, answers, errors } = operation;
  const shown = answers.filter(({ example }) => example !== undefined).slice(0, 1);
  return (
    <DocsSection
      id={id}
      title={summary}
      level={3}
      samples={
        <>
          <CodeBlock
            code={sampleOf(operation.request, { origin: config.appOrigin, key: apiKey })}
            name={`the request “${summary}”`}
          />
          {shown.map(({ status, example }) => (
            <AnswerBlock
              key={status}
              status={status}
              answer={example}
              name={`the answer to “${summary}”`}
            />
          ))}
        </>
      }
    >
      <p className="flex flex-wrap items-baseline gap-x-2 font-mono text-13 [overflow-wrap:anywhere]">
        <Method method={method} /> <span dir="ltr">{path}</span>
      </p>
      <p className="mt-2">
        <Marked text={text} />
      </p>
      <Input title="Parameters" fields={parameters} />
      <Input title="Query" fields={query} />
      <Input title="Body" fields={body} />
      <p className="mt-4 text-13 font-medium text-ink">Answers</p>
      <ul className="mt-1 space-y-1">
        {answers.map((answer) => (
          <li key={answer.status}>
            <span className="font-mono text-13 font-medium text-good">{answer.status}</span>{' '}
            <SchemaName type={answer.type} /> <Marked text={answer.text} />
          </li>
        ))}
      </ul>
      {errors.length > 0 && (
        <p className="mt-2 text-13 text-ink-3">
          Errors: <Errors errors={errors} />
        </p>
      )}
    </DocsSection>
  );
}

export function Errors({ errors }: Pick<OperationText, 'errors'>) {
  return errors.map(({ code, status }, index) => (
    <span key={code}>
      {index > 0 && ', '}
      {status}{' '}
      <a href={`#error-${code}`} className={clsx(textLinkClass, 'font-mono text-12')}>
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

/** Links the name of a schema. Other types are plain text. */
function SchemaName({ type }: { type: string }) {
  const [, name = ''] = /^([A-Z]\w+)(?:\[\])?(?:,.*| or null)?$/.exec(type) ?? [];
  if (name === '' || name === 'URL')
    return type === 'object' ? null : <span className="text-ink-3">{type}</span>;
  return (
    <>
      <a href={`#schema-${name}`} className={textLinkClass}>
        {name}
      </a>
      <span className="text-ink-3">{type.slice(name.length)}</span>
    </>
  );
}

export function Fields({ fields }: { fields: readonly ReferenceField[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface text-13 leading-5">
      {fields.map(({ name, type, note, text }) => (
        <div key={name} className="px-4 py-2.5">
          <dt className="flex flex-wrap items-baseline gap-x-2 [overflow-wrap:anywhere]">
            <bdi className="font-mono text-ink">{name}</bdi>{' '}
            <bdi dir="ltr" className="min-w-0 text-12 text-ink-3">
              <SchemaName type={type === 'object' ? 'object ' : type} />
            </bdi>{' '}
            {note !== '' && (
              <span className={note === 'required' ? 'text-12 text-warn' : 'text-12 text-ink-3'}>
                {note}
              </span>
            )}
          </dt>
          <dd className="mt-0.5 min-w-0 [overflow-wrap:anywhere]">
            <Marked text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
