import { useState, type ReactNode } from 'react';
import { reference } from 'virtual:api-reference';
import { PLANS } from '#contract/site.ts';
import { config } from '#web/shared/config.ts';
import { formatNumber } from '#contract/language.ts';
import { TextLink, textLinkClass } from '#web/ui/external-link.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { CodeBlock, Marked } from './code-block.tsx';
import { Errors, Fields, Method, OperationSection } from './operation.tsx';
import { PLACEHOLDER, useOwnKey, type OwnKey } from './own-key.ts';
import { commandLine, LANGUAGES, mcpConfig, quickStart, type Language } from './quick-starts.ts';

const { free, premium } = PLANS;
const anchorOf = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-');

export function ApiDocsPage() {
  const own = useOwnKey();
  // The secret is stored as a hash, so only its start can be shown.
  const shown = own.who === 'member' && own.key !== null ? `${own.key.prefix}…` : PLACEHOLDER;
  return (
    <div className="lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-12">
      <Contents className="sticky top-20 hidden max-h-[calc(100vh-6rem)] self-start overflow-y-auto lg:block" />
      <article className="min-w-0">
        <PageHeading
          title="API documentation"
          hint="Create short links and read their clicks from your own programs. On every plan."
        />
        <div className="text-14 leading-6 text-ink-2">
          <details className="mb-8 rounded-lg border border-line bg-surface px-4 py-3 lg:hidden">
            <summary className="font-medium text-ink">On this page</summary>
            <Contents className="mt-3" />
          </details>
          <Start own={own} shown={shown} />
          {reference.groups.map(({ name, text, operations }) => (
            <Section key={name} id={anchorOf(name)} title={name}>
              <p>{text}</p>
              {operations.map((operation) => (
                <OperationSection key={operation.id} operation={operation} apiKey={shown} />
              ))}
            </Section>
          ))}
          <Section id="shapes" title="Shapes">
            {reference.shapes.map(({ name, fields }) => (
              <section key={name} aria-labelledby={`shape-${name}`} className="mt-6">
                <h3 id={`shape-${name}`} className="scroll-mt-20 text-16 font-semibold text-ink">
                  {name}
                </h3>
                <Fields fields={fields} />
              </section>
            ))}
          </Section>
          <Section id="command-line" title="Command line">
            <p>
              <Marked text="In a checkout, `npm ci && npm run build` makes the command `npx hop`, and `npm install --global .` makes it `hop`. With `--json` it prints JSON; `hop --help` lists what it does." />
            </p>
            <CodeBlock code={commandLine(config.appOrigin)} name="the commands" />
          </Section>
          <Section id="assistants" title="Assistants (MCP)">
            <p>
              Assistants that speak the Model Context Protocol connect to{' '}
              <Marked text={`\`${config.appOrigin}/api/mcp\``} /> with the same keys, scopes and
              limits. An assistant sees the tools that its key allows; none of them deletes. Titles,
              notes, targets and values of statistics are in members named{' '}
              <Marked text="`untrusted`" />, because other people choose them: an assistant should
              never take them for instructions.
            </p>
            <CodeBlock
              code={mcpConfig(config.appOrigin, shown)}
              name="the configuration of an assistant"
            />
            <Fields
              fields={reference.tools.map(({ name, text, isReadOnly }) => ({
                name,
                text,
                type: isReadOnly ? 'reads' : 'writes',
                isRequired: false,
              }))}
            />
          </Section>
        </div>
      </article>
    </div>
  );
}

function Start({ own, shown }: { own: OwnKey; shown: string }) {
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <Section id="start" title="Start">
      <KeyHint own={own} />
      <fieldset className="mt-5">
        <legend className="sr-only">Language of the example</legend>
        <div className="flex w-fit gap-1 rounded-full border border-line p-0.5">
          {LANGUAGES.map(({ value, label }) => (
            <label
              key={value}
              className="inline-flex h-8 items-center rounded-full px-3 text-13 font-medium text-ink-3 hover:text-ink has-checked:bg-pressed has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-10"
            >
              <input
                type="radio"
                name="language"
                className="sr-only"
                checked={language === value}
                onChange={() => setLanguage(value)}
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <CodeBlock code={quickStart(language, config.appOrigin, shown)} name="the example" />
      <ul className="mt-5 list-disc space-y-1.5 ps-5 marker:text-ink-3">
        <li>
          <Marked text="The key goes into the header `Authorization`, never into the address. What it may do is in its scopes: use `links:create` where other people can see it." />
        </li>
        <li>
          <Marked text="A `POST` with an `Idempotency-Key` can be repeated for 24 hours and creates nothing twice." />
        </li>
        <li>
          <Marked text="Requests are strict: a parameter or a member that an operation does not know is an error that names the nearest known one. Answers may get further members, so ignore those that you do not know." />
        </li>
        <li>
          <Marked text="Send the `ETag` of a link back as `If-Match` to change it only as you read it (412 otherwise), or as `If-None-Match` to get 304 while it is unchanged." />
        </li>
        <li>
          <Marked
            text={`A key may send ${free.apiRequests} requests a minute on ${free.name}, ${premium.apiRequests} on ${premium.name}. All keys of an account together may change links ${formatNumber(free.linkChanges)} times a day on ${free.name}, ${formatNumber(premium.linkChanges)} on ${premium.name}, where a link counts once for each of its codes. \`RateLimit\` says what is left, and a 429 says in \`Retry-After\` how long to wait.`}
          />
        </li>
        <li>
          Errors are problems (RFC 9457) with a stable <Marked text="`code`" />:{' '}
          <a href="/api/v1/errors" className={textLinkClass}>
            all errors
          </a>
          . Every request may be answered with <Errors errors={reference.errors} />.
        </li>
        <li>
          <Marked text="Names are camelCase, and times are RFC 3339 in UTC." />
        </li>
        <li>
          The reference below is made from the{' '}
          <a href="/api/v1/openapi.json" className={textLinkClass}>
            OpenAPI document
          </a>
          , from which clients can be generated.
        </li>
      </ul>
    </Section>
  );
}

function KeyHint({ own }: { own: OwnKey }) {
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
  if (own.key === null) return <p>You need an API key. Create one under {settings}.</p>;
  return (
    <p>
      The examples show the start of your key “{own.key.name}”. Replace it with the whole key, which
      only you have, or create another one under {settings}.
    </p>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-12 first-of-type:mt-0">
      <h2 id={id} className="mb-3 scroll-mt-20 text-20 font-semibold tracking-tight text-ink">
        {title}
      </h2>
      {children}
    </section>
  );
}

const CHAPTERS = [
  ['shapes', 'Shapes'],
  ['command-line', 'Command line'],
  ['assistants', 'Assistants (MCP)'],
] as const;

function Contents({ className }: { className: string }) {
  const link = 'block rounded-md py-1 text-ink-2 hover:text-ink pointer-coarse:py-2';
  return (
    <nav aria-label="On this page" className={`text-13 ${className}`}>
      <ul>
        <li>
          <a href="#start" className={`${link} font-medium`}>
            Start
          </a>
        </li>
        {reference.groups.map(({ name, operations }) => (
          <li key={name} className="mt-3">
            <a href={`#${anchorOf(name)}`} className={`${link} font-medium`}>
              {name}
            </a>
            <ul>
              {operations.map(({ id, method, summary }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className={`${link} grid grid-cols-[3.25rem_1fr] items-baseline`}
                  >
                    <Method method={method} /> {summary}
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
        {CHAPTERS.map(([anchor, title], index) => (
          <li key={anchor} className={index === 0 ? 'mt-3' : ''}>
            <a href={`#${anchor}`} className={`${link} font-medium`}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
