import { CLI_PATH, MCP_PATH } from '#contract/pages/paths.ts';
import { config } from '#web/shared/page/config.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { TextLink, textLinkClass } from '#web/ui/external-link.tsx';
import { sectionTextClass, sectionTitleClass } from './home-section.tsx';

const commandsOf = (origin: string): readonly [name: string, command: string][] => [
  [
    'API',
    `curl ${origin}/api/v1/links -H "Authorization: Bearer $HOP_API_KEY" --json '{"url":"https://example.com"}'`,
  ],
  ['Command line', `npm install --global ${origin}${CLI_PATH}`],
  ['Assistants (MCP)', `claude mcp add --transport http hop ${origin}${MCP_PATH}`],
];

/** The ways to use the product without its pages, with commands to copy. */
export const Developers = () => (
  <section
    id="developers"
    tabIndex={-1}
    aria-labelledby="developers-title"
    className="grid scroll-mt-20 gap-x-16 gap-y-6 lg:grid-cols-[2fr_3fr]"
  >
    <div className="space-y-3">
      <h2 id="developers-title" className={sectionTitleClass}>
        Works where you are
      </h2>
      <p className={sectionTextClass}>
        An <TextLink to="/docs/api">API</TextLink> for everything that the pages do, on every plan.
        And a{' '}
        <a href="/tools#bookmarklet" className={textLinkClass}>
          bookmarklet
        </a>
        , an{' '}
        <a href="/tools#shortcut" className={textLinkClass}>
          iPhone shortcut
        </a>
        , and an{' '}
        <a href="/tools#app" className={textLinkClass}>
          app to install
        </a>
        .
      </p>
    </div>
    <dl className="min-w-0 divide-y divide-line rounded-lg border border-line bg-surface">
      {commandsOf(config.appOrigin).map(([name, command]) => (
        <div key={name} className="px-4 py-3 sm:px-5">
          <dt className="text-13 text-ink-3">{name}</dt>
          <dd className="flex items-start gap-2">
            <code className="min-w-0 flex-1 py-1.5 font-mono text-13 [overflow-wrap:anywhere]">
              {command}
            </code>
            <CopyIcon text={command} name={`Copy the command: ${name}`} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
