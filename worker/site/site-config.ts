import { SITE_NAME } from '#contract/site.ts';
import type { SiteConfig } from '#contract/pages/page-templates.ts';
import type { SsoConfig } from '#contract/sign-in/sso.ts';
import { readOidcSettings } from '#worker/auth/service/oidc-settings.ts';
import { passwordMin } from '#worker/auth/service/settings.ts';
import { allowsPasswords, isEmbedded, offeredSignUp } from '#worker/redirect/sign-in-settings.ts';
import { readSaasSettings } from '#worker/domains/saas/settings.ts';
import { isLoopback, type Origins } from '#worker/http/origins.ts';
import { pricesOf } from '#worker/plans/price-setting.ts';
import { configuredDomains } from '#worker/redirect/configured-domains.ts';
import { firstAddress, supportAddress } from '#worker/redirect/support-address.ts';
import { networkAdPlaces } from './ads.ts';

/**
 * The embedded sign-in needs no key, but supabase-js requires one and warns unless it has this
 * form. It is public: every browser gets it.
 */
const EMBEDDED_KEY = 'sb_publishable_hop_embedded';

/**
 * The configuration that the browser gets. Each member is listed, so that no secret of `env` can be
 * included by accident.
 */
export function siteConfig(env: Env, origins: Origins, requestUrl: string): SiteConfig {
  const ownDomains = readSaasSettings(env) !== null;
  return {
    siteName: SITE_NAME,
    appOrigin: origins.app,
    shortOrigin: origins.short,
    auth: isEmbedded(env)
      ? {
          url: `${origins.app}/api`,
          key: EMBEDDED_KEY,
          mode: 'embedded',
          sso: ssoConfig(env),
          passwords: allowsPasswords(env),
          passwordMin: passwordMin(env),
          ...signUpOf(env),
        }
      : {
          url: env.SUPABASE_URL,
          key: env.SUPABASE_PUBLISHABLE_KEY,
          mode: 'hosted',
          sso: null,
          passwords: true,
        },
    billing: env.BILLING === 'demo' ? 'demo' : 'none',
    prices: pricesOf(env),
    networkAds: networkAdPlaces(env),
    supportEmail: supportAddress(env),
    operator: {
      name: env.OPERATOR_NAME,
      address: env.OPERATOR_ADDRESS,
      email: firstAddress(env.PRIVACY_EMAIL, env.SUPPORT_EMAIL, env.ABUSE_EMAIL),
    },
    services: {
      reputation: hostOf(env.REPUTATION_DOH_URL),
      copies: hostOf(env.BACKUP_S3_URL),
    },
    sendsMail: env.MAIL_FROM !== '',
    domains: ownDomains || configuredDomains(env).shared.size > 0,
    ownDomains,
    turnstileSiteKey: env.TURNSTILE_SITE_KEY,
    devMailbox: env.DEV_MAILBOX === 'on' && isLoopback(requestUrl),
  };
}

/** Returns nothing if anybody may sign up. */
function signUpOf(env: Env): Pick<SiteConfig['auth'], 'signUp'> {
  const rule = offeredSignUp(env);
  return rule === 'open' ? {} : { signUp: rule };
}

function ssoConfig(env: Env): SsoConfig | null {
  const settings = readOidcSettings(env);
  return settings === null ? null : { name: settings.name };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
