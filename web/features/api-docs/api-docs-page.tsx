import { useState, type ReactNode } from 'react';
import { reference } from 'virtual:api-reference';
import { config } from '#web/shared/config.ts';
import { TextLink } from '#web/ui/external-link.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { Marked } from './code-block.tsx';
import { anchorOf, Contents } from './contents.tsx';
import { guides, toolGuides } from './guides.ts';
import { LanguageContext } from './language.ts';
import { Errors, Fields, OperationSection } from './operation.tsx';
import { useOwnKey, type OwnKey } from './own-key.ts';
import { PLACEHOLDER, type Language } from './samples.ts';
import { AnswerBlock, GuideSection, DocsSection } from './docs-section.tsx';

export function ApiDocsPage() {
  const own = useOwnKey();
  const [typed, setTyped] = useState('');
  const [language, choose] = useState<Language>('curl');
  // The secret is stored as a hash, so only its start can be shown.
  const start = own.who === 'member' && own.key !== null ? `${own.key.prefix}…` : PLACEHOLDER;
  const key = /^hop_live_\w+$/.test(typed) ? typed : start;
  const caller = { origin: config.appOrigin, key };
  const [before, after] = [guides(caller), toolGuides(caller)];
  const [first, ...others] = before;
  return (
    <LanguageContext value={{ language, choose }}>
      <PageHeading
        title="API documentation"
        hint="Create short links and read their clicks from your own programs. On every plan."
      />
      {/* Wider than other pages, so that samples stand beside the text. */}
      <div className="lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-10 xl:me-[max(-25rem,calc((1032px-100vw)/2+3rem))]">
        <Contents
          before={before}
          after={after}
          className="sticky top-20 hidden max-h-[calc(100vh-6rem)] -ms-1 self-start overflow-y-auto p-1 lg:block"
        />
        <article className="min-w-0">
          <details className="mb-8 rounded-lg border border-line bg-surface px-4 py-3 text-14 lg:hidden">
            <summary className="font-medium text-ink">On this page</summary>
            <Contents before={before} after={after} className="mt-3" />
          </details>
          <div className="text-14 leading-6 text-ink-2">
            {first !== undefined && (
              <GuideSection guide={first}>
                <KeyHint own={own} typed={typed} onType={setTyped} />
              </GuideSection>
            )}
            {others.map((guide) => (
              <GuideSection key={guide.id} guide={guide}>
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
            <Shapes />
            {after.map((guide) => (
              <GuideSection key={guide.id} guide={guide}>
                {guide.id === 'assistants' && <Tools />}
              </GuideSection>
            ))}
          </div>
        </article>
      </div>
    </LanguageContext>
  );
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

const Events = () =>
  reference.events.map(({ type, text, shape, example }) => (
    <DocsSection
      key={type}
      id={`event-${type}`}
      title={type}
      level={3}
      samples={<AnswerBlock answer={example} name={`the event ${type}`} label="Body" />}
    >
      <p>
        <Marked text={`${text} The body is a [${shape}](#shape-${shape}).`} />
      </p>
    </DocsSection>
  ));

const Shapes = () => (
  <>
    <DocsSection id="shapes" title="Shapes">
      <p>The schemas of the OpenAPI document, under their names.</p>
    </DocsSection>
    {reference.shapes.map(({ name, text, type, fields }) => (
      <section key={name} aria-labelledby={`shape-${name}`} className="mt-8 max-w-reading">
        <h3 id={`shape-${name}`} className="scroll-mt-20 text-16 font-semibold text-ink">
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
