import { expect, type APIRequestContext } from '@playwright/test';

export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  link: string;
  sentAt: string;
};

/**
 * Returns the members of a mailed link's fragment, for tests that call the API instead of opening
 * the page.
 */
export function partsOf(link: string): { type: string; token_hash: string } {
  const fragment = new URLSearchParams(new URL(link).hash.slice(1));
  return { type: fragment.get('type') ?? '', token_hash: fragment.get('token_hash') ?? '' };
}

/** Waits until the local mailbox holds `count` mails to `email`, and returns the newest one. */
export async function mailTo(request: APIRequestContext, email: string, count = 1): Promise<Mail> {
  let mails: Mail[] = [];
  await expect(async () => {
    mails = await (await request.get(`/dev/mailbox.json?to=${encodeURIComponent(email)}`)).json();
    expect(mails.length).toBeGreaterThanOrEqual(count);
  }).toPass();
  const [newest] = mails;
  if (newest === undefined) throw new Error(`There is no mail to ${email}.`);
  return newest;
}
