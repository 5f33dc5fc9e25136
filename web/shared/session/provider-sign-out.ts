import { toast } from '#web/ui/announcer.ts';
import { config } from '#web/shared/page/config.ts';
import { readProviderSession } from './provider-session.ts';

/**
 * Returns what to say after the sign-out of this session. A member who signed in at the provider
 * is still signed in there, which matters in a shared browser.
 */
export function readProviderOffer(): () => void {
  const { sso, url } = config.auth;
  if (sso === null || !readProviderSession().began) return () => undefined;
  return () =>
    toast(`You are signed out here, and still signed in at ${sso.name}.`, {
      action: {
        label: `Sign out of ${sso.name}`,
        onSelect: () => window.location.assign(`${url}/auth/v1/provider-logout`),
      },
    });
}
