import type { Provider } from '@supabase/supabase-js';
import { config } from '#web/shared/page/config.ts';

/** What a hosted project offers. `providers` are the client's names of them. */
export type HostedWays = { closed: boolean; email: boolean; providers: readonly Provider[] };

/** What the page offers until the project has answered, or if it gives no answer. */
export const USUAL_WAYS: HostedWays = { closed: false, email: true, providers: [] };

/** Names in a project's settings that are not those of providers. */
const OTHERS = new Set(['email', 'phone', 'anonymous_users']);

/** A project's settings name providers as the client does. */
const isProvider = (name: string): name is Provider => !OTHERS.has(name);

/** Reads the settings of a hosted project. The embedded sign-in says its own in the page. */
export async function readHostedWays(): Promise<HostedWays> {
  const response = await fetch(`${config.auth.url}/auth/v1/settings`, {
    headers: { apikey: config.auth.key },
  });
  const settings: unknown = await response.json();
  if (typeof settings !== 'object' || settings === null) return USUAL_WAYS;
  const external: object =
    'external' in settings && typeof settings.external === 'object' && settings.external !== null
      ? settings.external
      : {};
  const entries: [string, unknown][] = Object.entries(external);
  return {
    closed: 'disable_signup' in settings && settings.disable_signup === true,
    email: !entries.some(([name, isOn]) => name === 'email' && isOn === false),
    providers: entries
      .filter(([, isOn]) => isOn === true)
      .map(([name]) => name)
      .filter(isProvider),
  };
}

const NAMES: Readonly<Record<string, string>> = {
  azure: 'Microsoft',
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  linkedin_oidc: 'LinkedIn',
  slack_oidc: 'Slack',
  workos: 'WorkOS',
};

/** A provider's name on its button. */
export const providerName = (provider: string): string =>
  NAMES[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1);
