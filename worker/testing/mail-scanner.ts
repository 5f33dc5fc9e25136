import { expect } from 'vitest';
import { call, ORIGIN } from './call.ts';
import { mailsTo } from './sign-in.ts';

/**
 * Opens every link in the mails to an address, in the current and the old format, as a mail gateway
 * does before the owner.
 */
export async function openEveryLink(email: string, overrides: Partial<Env>): Promise<void> {
  for (const { link } of await mailsTo(email)) {
    if (link === '') continue;
    const fragment = new URLSearchParams(new URL(link).hash.slice(1));
    const old = `${ORIGIN}/api/auth/v1/verify?token=${fragment.get('token_hash')}&type=${fragment.get('type')}&redirect_to=${ORIGIN}/promo`;
    for (const url of [link.split('#')[0] ?? link, old])
      for (const method of ['GET', 'GET', 'GET', 'HEAD']) {
        const response = await call(url, { method }, overrides);
        expect(response.headers.get('Location') ?? '').not.toContain('access_token');
        await response.body?.cancel();
      }
  }
}
