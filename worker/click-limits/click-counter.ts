import { DurableObject } from 'cloudflare:workers';
import type { CountedLink } from './count-clicks.ts';

/**
 * Counts the redirects of one link with a click limit. The object's name is the link's `limit_id`.
 * What it does is imported on first use, because every isolate evaluates this file at its start.
 */
export class ClickCounter extends DurableObject<Env> {
  /** Counts one redirect. False if `limit` redirects are counted already. */
  async take(link: CountedLink, limit: number): Promise<boolean> {
    const { takeClick } = await import('./count-clicks.ts');
    return takeClick(this.ctx.storage, this.env, link, limit, Date.now());
  }

  async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    const { reportCount } = await import('./count-clicks.ts');
    await reportCount(this.ctx.storage, this.env, Date.now());
  }
}
