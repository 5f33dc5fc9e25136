import { readText } from '#scripts/shared/markdown.ts';
import { VARIABLES } from './configuration.ts';

const BINDINGS: Readonly<Record<string, string>> = {
  DB: 'Everything that must not be lost: links, accounts, clicks.',
  LINKS: 'Copies of the links, for redirects.',
  BACKUPS: 'Nightly copies of the database. R2 must be enabled in the account.',
  CLICKS: 'Clicks on their way to the database. The dead-letter queue takes those that fail.',
  WEBHOOKS: 'Messages to webhooks.',
};

/** What the form says of a variable, where the meaning in docs/configuration.md is not what the deployer needs. */
const FORM_TEXTS: Readonly<Record<string, string>> = {
  APP_ORIGIN:
    'Leave it empty for the address on workers.dev. Otherwise `https://` and a host of a domain in this account.',
  ADMIN_CLAIM:
    'Invent one and keep it: 20 to 100 letters and digits, for example from `openssl rand -hex 32`. **After the build, open `/admin/claim#` followed by this value** on the new address to become its administrator.',
  MAIL_FROM:
    'Sender of mails, an address of a domain that is set up for Email Sending. While it is empty, accounts are accepted without a confirmed address.',
  WORKERS_PLAN:
    'The plan of this account. `free` needs the two `SUPABASE_` fields: hashing a password takes more CPU time than the free plan allows.',
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
    ...fields.map(({ name, meaning }) => [
      name,
      { description: withoutLinks(FORM_TEXTS[name] ?? meaning) },
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
