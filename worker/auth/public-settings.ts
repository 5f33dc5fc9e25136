import type { AuthSettings } from './service/settings.ts';

/** Sign-in methods that the hosted service knows and this one does not offer. */
const UNSUPPORTED = [
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'kakao',
  'keycloak',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'phone',
  'slack',
  'slack_oidc',
  'snapchat',
  'spotify',
  'twitch',
  'twitter',
  'workos',
  'x',
  'zoom',
  'anonymous_users',
];

/**
 * The body of GET /settings, from which clients build their forms. The company's provider is in the
 * page's configuration instead: the client knows no names of custom providers.
 */
export function publicSettings(
  settings: Pick<AuthSettings, 'autoconfirm' | 'passwords' | 'signUp'>,
): Record<string, unknown> {
  return {
    external: {
      ...Object.fromEntries(UNSUPPORTED.map((name) => [name, false])),
      email: settings.passwords,
    },
    disable_signup: !settings.passwords || settings.signUp !== 'open',
    mailer_autoconfirm: settings.autoconfirm,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    saml_private_key_next_configured: false,
    passkeys_enabled: true,
  };
}
