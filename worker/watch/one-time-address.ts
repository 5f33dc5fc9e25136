/** Words in an address whose opening may change something. */
const WORDS =
  /(?:^|[^a-z])(?:unsubscribe|opt-?out|abmelden|confirm|verify|activate|reset-?password|password-?reset|magic-?link|one-?time|invit(?:e|ation)s?|logout|sign-?out)(?:[^a-z]|$)/i;
/** Parameters that mostly hold a secret. */
const SECRETS =
  /^(?:.*[-_])?(?:token|otp|ticket|jwt|signature|sig|auth|secret|nonce|access_?key|invite|apikey)$/i;
/** Parameters of advertising, whose values look like secrets. */
const CLICK_IDS =
  /^(?:utm_.*|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|ttclid|igshid|mc_eid)$/i;
const RANDOM = /^(?=.*\d)(?=.*[a-z])[\w.~+/=-]{24,}$/i;

/**
 * True for an address that looks as if it worked once, or as if opening it changed something, such
 * as unsubscribing. A request to it would have that effect.
 */
export function isOneTimeAddress(href: string): boolean {
  const url = URL.parse(href);
  if (url === null) return false;
  if (WORDS.test(url.pathname)) return true;
  return [...url.searchParams].some(
    ([name, value]) =>
      !CLICK_IDS.test(name) && (SECRETS.test(name) || WORDS.test(name) || RANDOM.test(value)),
  );
}
