import { composeMail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { sendNotice } from '#worker/auth/notices/send-notice.ts';
import type { Db } from '#worker/db/client.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import type { StoppedEndpoint } from './deliver.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';

type Context = {
  env: Env;
  db: Db;
  appOrigin: string;
  now: number;
  waitUntil: WaitUntil;
};

/**
 * Emails owners that one of their endpoints was disabled. Never throws, because the deliveries are
 * already stored.
 */
export async function tellOwners(
  { appOrigin, ...context }: Context,
  stopped: readonly StoppedEndpoint[],
): Promise<void> {
  for (const { email, url, by } of stopped) {
    try {
      const settings = `${appOrigin}/settings/webhooks`;
      const mail = composeMail(email, MAILS.webhookStopped(new URL(url).host, by), settings);
      await sendNotice({ ...context, request: new Request(`${appOrigin}/`) }, 'key', mail);
    } catch (error) {
      logEvent('webhook_notice_failed', errorFacts(error));
    }
  }
}
