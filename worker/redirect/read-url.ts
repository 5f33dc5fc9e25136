/** Parts of an absolute URL, found without parsing the rest: these run on every redirect. */

export function readPath(url: string): string {
  const start = url.indexOf('/', 8);
  if (start === -1) return '/';
  const query = url.indexOf('?', start);
  return query === -1 ? url.slice(start) : url.slice(start, query);
}

/** The host of a URL, without its port and a trailing dot. */
export function hostOfUrl(url: string): string {
  const start = url.indexOf('/') + 2;
  const end = url.indexOf('/', start);
  const authority = end === -1 ? url.slice(start) : url.slice(start, end);
  const port = authority.indexOf(':');
  const host = port === -1 ? authority : authority.slice(0, port);
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/**
 * Returns `/code` for `/code/`, and `/code+` for `/code%2B`, because some programs change links
 * this way.
 */
export function plainSpelling(path: string): string {
  const [, code, plus] = /^((?:\/[\w-]+)+)(\+|%2b)?\/*$/i.exec(path) ?? [];
  if (code === undefined) return path;
  return plus === undefined ? code : `${code}+`;
}
