import { eq } from 'drizzle-orm';
import { SSO_CALLBACK, SSO_FAILURES, type SsoReport } from '#contract/sign-in/sso.ts';
import { PROVIDER_LOOK, readFailures } from '#worker/auth/oidc/failures.ts';
import { readOidcSettings } from '#worker/auth/service/oidc-settings.ts';
import { isEmbedded } from '#worker/redirect/sign-in-settings.ts';
import type { Db } from '#worker/db/client.ts';
import { system_facts } from '#worker/db/schema-system.ts';
import { SSO_FAILURE_SENTENCES } from '#worker/messages/sso.ts';

/** What an administrator needs when a sign-in at the provider fails; null without a provider. */
export async function readProvider(env: Env, db: Db, appOrigin: string): Promise<SsoReport | null> {
  const settings = isEmbedded(env) ? readOidcSettings(env) : null;
  if (settings === null) return null;
  const [look, failures] = await Promise.all([
    db.select().from(system_facts).where(eq(system_facts.name, PROVIDER_LOOK)).get(),
    readFailures(db),
  ]);
  return {
    issuer: settings.issuer,
    callback: appOrigin + SSO_CALLBACK,
    look:
      look === undefined
        ? null
        : { at: new Date(look.at).toISOString(), fault: faultOf(look.value) },
    failures: failures.map(({ at, reason, detail }) => ({
      at: new Date(at).toISOString(),
      sentence: sentenceOf(reason),
      detail,
    })),
  };
}

/** `value` is '' or the reason and detail that `recordLook` stored. */
function faultOf(value: string): string {
  if (value === '') return '';
  const [reason, detail]: [string, string] = JSON.parse(value);
  return `${sentenceOf(reason)} (${detail})`;
}

/** A reason of a newer release is shown as stored. */
function sentenceOf(reason: string): string {
  const known = SSO_FAILURES.find((name) => name === reason);
  return known === undefined ? reason : SSO_FAILURE_SENTENCES[known];
}
