import { useState, type ReactNode } from 'react';
import { reference } from 'virtual:api-reference';
import { config } from '#web/shared/page/config.ts';
import { TextLink } from '#web/ui/external-link.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { Marked } from './code-block.tsx';
import { anchorOf, Contents, ContentsMenu } from './contents.tsx';
import { ProblemTable } from './problem-table.tsx';
import { guides, toolGuides } from './guides.ts';
import { Errors, Fields, OperationSection } from './operation.tsx';
import { useOwnKey, type OwnKey } from './own-key.ts';
import { PLACEHOLDER } from './samples.ts';
import { AnswerBlock, GuideSection, DocsSection } from './docs-section.tsx';

export function ApiDocsPage() {
  const own = useOwnKey();
  const [typed, setTyped] = useState('');
  const key = /^hop_live_\w+$/.test(typed) ? typed : shownKey(own);
  const caller = { origin: config.appOrigin, key };
  const [before, after] = [guides(caller), toolGuides(caller)];
  const [first, ...others] = before;
  return (
    <>
      <PageHeading
        title="API documentation"
        hint="Create short links and read their clicks from your own programs. On every plan."
      />
      {/* Wider than other pages, so that samples stand beside the text. */}
      <div className="lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-9 min-[75rem]:me-[max(-25rem,calc((1032px-100vw)/2+3rem))] print:block print:me-0">
        <Contents
          before={before}
          after={after}
          className="sticky top-20 hidden max-h-[calc(100vh-6rem)] -ms-1 self-start overflow-y-auto p-1 lg:block print:hidden"
        />
        <ContentsMenu before={before} after={after} />
        <article className="min-w-0">
          <div className="text-14 leading-6 text-ink-2">
            {first !== undefined && (
              <GuideSection guide={first}>
                <KeyHint own={own} typed={typed} onType={setTyped} />
              </GuideSection>
            )}
            {others.map((guide) => (
              <GuideSection
                key={guide.id}
                guide={guide}
                wide={guide.id === 'errors' ? <ProblemTable /> : undefined}
              >
                {guide.id === 'errors' && (
                  <p>
                    Every request may be answered with <Errors errors={reference.errors} />.
                  </p>
                )}
              </GuideSection>
            ))}
            {reference.groups.map(({ name, text, operations }) => (
              <Group key={name} name={name} text={text}>
                {operations.map((operation) => (
                  <OperationSection key={operation.id} operation={operation} apiKey={key} />
                ))}
                {name === 'Webhooks' && <Events />}
              </Group>
            ))}
            <Schemas />
            {after.map((guide) => (
              <GuideSection key={guide.id} guide={guide}>
                {guide.id === 'assistants' && <Tools />}
              </GuideSection>
            ))}
          </div>
        </article>
      </div>
    </>
  );
}

/** Secrets are stored as hashes, so of most keys only the start can be shown. */
function shownKey(own: OwnKey): string {
  if (own.who === 'visitor' || own.key === null) return PLACEHOLDER;
  return own.secret ?? `${own.key.prefix}…`;
}

function KeyHint({
  own,
  typed,
  onType,
}: {
  own: OwnKey;
  typed: string;
  onType: (typed: string) => void;
}) {
  if (own.who === 'visitor')
    return (
      <p>
        You need an API key.{' '}
        <TextLink to="/auth?tab=sign-up&next=%2Fsettings%2Fapi">Sign up</TextLink> for a free
        account, or <TextLink to="/auth?next=%2Fsettings%2Fapi">sign in</TextLink>, and create one
        in Settings.
      </p>
    );
  const settings = <TextLink to="/settings/api">API keys</TextLink>;
  if (own.secret !== null && own.key !== null)
    return (
      <p>
        The samples contain your new key “{own.key.name}”, until you reload the page. Treat it like
        a password; {settings} revokes it.
      </p>
    );
  return (
    <>
      <p>
        {own.key === null ? (
          <>You need an API key. Create one under {settings}.</>
        ) : (
          <>
            The samples show the start of your key “{own.key.name}”. Only you have the whole key;
            create another one under {settings}.
          </>
        )}
      </p>
      <div className="max-w-form">
        <TextField
          {...VERBATIM}
          label="Your key, for the samples"
          hint="It stays on this page and is not sent or stored."
          type="password"
          placeholder={PLACEHOLDER}
          value={typed}
          onText={(text) => onType(text.trim())}
        />
      </div>
    </>
  );
}

function Group({ name, text, children }: { name: string; text: string; children: ReactNode }) {
  return (
    <>
      <DocsSection id={anchorOf(name)} title={name}>
        <p>{text}</p>
      </DocsSection>
      {children}
    </>
  );
}

const Events = () => (
  <>
    <DocsSection id="events" title="Events">
      <p>Each event is a `POST` with one of these bodies.</p>
    </DocsSection>
    {reference.events.map(({ type, text, shape, example }) => (
      <DocsSection
        key={type}
        id={`event-${type}`}
        title={type}
        level={3}
        samples={<AnswerBlock answer={example} name={`the event ${type}`} label="Body" />}
      >
        <p>
          <Marked text={`${text} The body is a [${shape}](#schema-${shape}).`} />
        </p>
      </DocsSection>
    ))}
  </>
);

const Schemas = () => (
  <>
    <DocsSection id="schemas" title="Schemas">
      <p>What requests and answers contain, under the names of the OpenAPI document.</p>
    </DocsSection>
    {reference.shapes.map(({ name, text, type, fields }) => (
      <section key={name} aria-labelledby={`schema-${name}`} className="mt-8 max-w-reading">
        <h3
          id={`schema-${name}`}
          className="scroll-mt-32 lg:scroll-mt-20 text-16 font-semibold text-ink"
        >
          {name}
        </h3>
        <p>
          <Marked text={text} />
        </p>
        {fields.length === 0 && <p className="font-mono text-13 text-ink">{type}</p>}
        <Fields fields={fields} />
      </section>
    ))}
  </>
);

const Tools = () => (
  <Fields
    fields={reference.tools.map(({ name, text, isReadOnly }) => ({
      name,
      text,
      type: isReadOnly ? 'reads' : 'writes',
      note: '',
    }))}
  />
);
