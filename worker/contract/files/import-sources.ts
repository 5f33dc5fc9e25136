/** Services whose API lists links page by page, for a key of the account there. */

export type SourcePage = {
  links: unknown[];
  /** How many links the account has there. */
  total: number;
  /** Where the next page starts; null at the end. */
  next: number | null;
};

type Source = {
  label: string;
  header: string;
  /** The path and query of a page, below the address of the server. The first page starts at 0. */
  path: (cursor: number) => string;
  /** Reads a page; null if it is not one of this service. */
  read: (page: unknown, cursor: number) => SourcePage | null;
};

const PER_PAGE = { shlink: 100, kutt: 50 } as const;

export const IMPORT_SOURCES = {
  // https://github.com/shlinkio/shlink/blob/main/docs/swagger/paths/v1_short-urls.json
  shlink: {
    label: 'Shlink',
    header: 'X-Api-Key',
    path: (cursor) =>
      `/rest/v3/short-urls?page=${cursor + 1}&itemsPerPage=${PER_PAGE.shlink}&orderBy=dateCreated-ASC`,
    read: (page, cursor) => {
      const { data, pagination } = Object(Object(page).shortUrls);
      const { pagesCount, totalItems } = Object(pagination);
      if (!Array.isArray(data) || !Number.isSafeInteger(totalItems)) return null;
      return { links: data, total: totalItems, next: cursor + 1 < pagesCount ? cursor + 1 : null };
    },
  },
  // https://github.com/thedevs-network/kutt/blob/main/server/handlers/links.handler.js
  kutt: {
    label: 'Kutt',
    header: 'X-API-KEY',
    path: (cursor) => `/api/v2/links?limit=${PER_PAGE.kutt}&skip=${cursor}`,
    read: (page, cursor) => {
      const { data, total } = Object(page);
      if (!Array.isArray(data) || !Number.isSafeInteger(total)) return null;
      const next = cursor + data.length;
      return { links: data, total, next: data.length > 0 && next < total ? next : null };
    },
  },
} as const satisfies Readonly<Record<string, Source>>;

export type SourceName = keyof typeof IMPORT_SOURCES;
const isSource = (name: string): name is SourceName => Object.hasOwn(IMPORT_SOURCES, name);
export const SOURCE_NAMES: readonly SourceName[] = Object.keys(IMPORT_SOURCES).filter(isSource);

/** Returns the address of a page. A path of the server's address is kept. */
export const pageUrl = (source: SourceName, server: URL, cursor: number): string =>
  server.origin + server.pathname.replace(/\/+$/, '') + IMPORT_SOURCES[source].path(cursor);
