/** An address that needs no escaping in HTML or in a `mailto:` link. */
const ADDRESS = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/;

/**
 * The address for support: SUPPORT_EMAIL, else ABUSE_EMAIL, else ''. It lives here because the
 * redirect's own error pages name it and the redirect imports nothing outside its folder.
 */
export const supportAddress = (env: Pick<Env, 'SUPPORT_EMAIL' | 'ABUSE_EMAIL'>): string =>
  firstAddress(env.SUPPORT_EMAIL, env.ABUSE_EMAIL);

/** The first of these settings that is a plain address; '' if none is. */
export const firstAddress = (...settings: string[]): string =>
  settings.find((setting) => ADDRESS.test(setting)) ?? '';
