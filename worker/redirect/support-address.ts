/** An address that needs no escaping in HTML or in a `mailto:` link. */
const ADDRESS = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/;

/**
 * Where people can write to: SUPPORT_EMAIL, or ABUSE_EMAIL; '' if neither is an address. It lives
 * here because the redirect's own error pages name it and the redirect imports nothing outside its
 * folder.
 */
export function supportAddress(env: Pick<Env, 'SUPPORT_EMAIL' | 'ABUSE_EMAIL'>): string {
  return [env.SUPPORT_EMAIL, env.ABUSE_EMAIL].find((address) => ADDRESS.test(address)) ?? '';
}
