import { readText } from '#scripts/shared/markdown.ts';
import { VARIABLES } from './configuration.ts';

const BINDINGS: Readonly<Record<string, string>> = {
  DB: 'Everything that must not be lost: links, accounts, clicks.',
  LINKS: 'Copies of the links, for redirects.',
  BACKUPS: 'Nightly copies of the database. R2 must be enabled in the account.',
  CLICKS: 'Clicks on their way to the database. The dead-letter queue takes those that fail.',
  WEBHOOKS: 'Messages to webhooks.',
};

/** The names of the secrets that the form asks for: every entry of .dev.vars.example. */
export const askedSecrets = (): string[] =>
  [...readText('.dev.vars.example').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);

/**
 * Returns `cloudflare.bindings` of package.json, which describe the fields of the form
 * (https://developers.cloudflare.com/workers/platform/deploy-buttons/#best-practices).
 */
export function formDescriptions(): Record<string, { description: string }> {
  const secrets = askedSecrets();
  const fields = VARIABLES.filter(
    (variable) => 'value' in variable || secrets.includes(variable.name),
  );
  return Object.fromEntries([
    ...Object.entries(BINDINGS).map(([name, description]) => [name, { description }]),
    ...fields.map(({ name, form, meaning }) => [
      name,
      { description: withoutLinks(form ?? meaning) },
    ]),
  ]);
}

/** A link of our documents leads nowhere in the dashboard. */
const withoutLinks = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]+)\]\((?!https:)[^)]+\)/g, '$1');

/** Returns package.json with the descriptions updated. */
export function withFormDescriptions(packageText: string): string {
  const manifest = { ...JSON.parse(packageText), cloudflare: { bindings: formDescriptions() } };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
