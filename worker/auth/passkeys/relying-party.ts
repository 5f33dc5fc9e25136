import type { AuthSettings } from '#worker/auth/service/settings.ts';

/**
 * For which origin passkeys are made and accepted. It comes from the deployment's settings, never
 * from a request's Host.
 */
export const relyingParty = ({ appOrigin }: Pick<AuthSettings, 'appOrigin'>) => ({
  origin: appOrigin,
  rpId: new URL(appOrigin).hostname,
});
