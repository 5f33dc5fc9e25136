import { expect, type APIRequestContext } from '@playwright/test';

export type Mail = { to: string; subject: string; text: string; html: string; link: string; sentAt: string };

/** The newest mail to an address in the local mailbox, once there are `count` of them. */
export async function mailTo(request: APIRequestContext, email: string, count = 1): Promise<Mail> {
  let mails: Mail[] = [];
  await expect(async () => {
    mails = await (await request.get(`/dev/mailbox.json?to=${encodeURIComponent(email)}`)).json();
    expect(mails.length).toBeGreaterThanOrEqual(count);
  }).toPass({ timeout: 10_000 });
  const [newest] = mails;
  if (newest === undefined) throw new Error(`There is no mail to ${email}.`);
  return newest;
}
