import { NO_DOMAINS } from '#worker/db/domain-names.ts';
import { env } from 'cloudflare:test';
import { openDb } from '#worker/db/client.ts';
import { linkIdsOf, readLinkIds } from '#worker/db/link-ids.ts';

/** The number in the database of the link with this id in the public API. */
export const numberOf = async (id: string | undefined): Promise<number> =>
  (await readLinkIds(openDb(env.DB))).read(id ?? '');

/** The id in the public API of the link with this number in the database. */
export const publicIdOf = async (number: number): Promise<string> =>
  (await readLinkIds(openDb(env.DB))).show(number);

export const HOP = {
  app: 'https://hop.example',
  short: 'https://hop.example',
  domains: NO_DOMAINS,
};

/** A reader of events who knows the ids of the public API. */
export const makeReader = async () => ({
  origins: HOP,
  linkIds: await readLinkIds(openDb(env.DB)),
});

/** A reader of events for whom the ids of links are numbers. */
export const READER = { origins: HOP, linkIds: linkIdsOf(null) };
