import type { RedirectMapFormat } from '#contract/files/links-file.ts';
import { csvPart } from '#contract/files/csv.ts';

/** A link that redirects now. `shortUrl` and `target` are absolute. */
export type Redirect = {
  code: string;
  shortUrl: string;
  target: string;
  title: string;
  tags: readonly string[];
  clicks: number;
  /** RFC 3339. */
  createdAt: string;
};

type Format = {
  start: string;
  line: (redirect: Redirect) => string;
  end: string;
  /** The lines name hosts. Other formats are for one host, and have no links on domains. */
  namesHosts?: true;
};

/**
 * Percent-encodes characters that servers would read as variables, placeholders or escapes. The
 * encoded target leads to the same page. Stored targets have no spaces, quotes or control
 * characters.
 */
const plain = (target: string): string =>
  target.replace(
    /[$\\{}`"]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/** How each kind of server writes a redirect. Each file explains where it belongs. */
export const REDIRECT_MAPS: Readonly<Record<RedirectMapFormat, Format>> = {
  redirects: {
    start: '# Redirects of short links for Netlify or Cloudflare Pages: save as _redirects.\n',
    line: ({ code, target }) => `/${code} ${plain(target)} 302\n`,
    end: '',
  },
  nginx: {
    start: '# Redirects of short links for nginx: include this file in a server block.\n',
    line: ({ code, target }) => `location = /${code} { return 302 "${plain(target)}"; }\n`,
    end: '',
  },
  apache: {
    start: `# Redirects of short links for Apache: save as hop.txt, and put this into the configuration of the virtual host:
#   RewriteEngine On
#   RewriteMap hop "txt:/etc/apache2/hop.txt"
#   RewriteCond "\${hop:$1}" !=""
#   RewriteRule "^/([A-Za-z0-9_/-]+?)/?$" "\${hop:$1}" [R=302,NE,L]
`,
    line: ({ code, target }) => `${code} ${plain(target)}\n`,
    end: '',
  },
  caddy: {
    start:
      '# Redirects of short links for Caddy: import this file in the block of a site.\nmap {path} {hop_target} {\n',
    line: ({ code, target }) => `\t/${code} "${plain(target)}"\n`,
    end: '\tdefault ""\n}\n@hop expression `{hop_target} != ""`\nredir @hop {hop_target} 302\n',
  },
  cloudflare: {
    start: '',
    // Source, target, status: no header line (https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/reference/csv-file-format/).
    line: ({ shortUrl, target }) => `${csvPart(shortUrl)},${csvPart(target)},302\n`,
    end: '',
    namesHosts: true,
  },
  shlink: {
    // Names of columns without spaces, no domain, and `|` between tags
    // (https://github.com/shlinkio/shlink-importer/blob/main/src/Sources/Csv/CsvImporter.php).
    start: 'Long URL,Short code,Title,Tags\r\n',
    line: ({ target, code, title, tags }) =>
      row([target, code, title, tags.map((tag) => tag.replaceAll('|', ' ')).join('|')]),
    end: '',
  },
  yourls: {
    // The plugin Import Export removes every slash from a code
    // (https://github.com/GautamGupta/YOURLS-Import-Export/blob/master/fileio/csv.php).
    start: 'source,target,hits\r\n',
    line: ({ code, target, clicks }) =>
      code.includes('/') ? '' : row([code, target, `${clicks}`]),
    end: '',
  },
  dub: {
    // https://github.com/dubinc/dub/blob/main/apps/web/app/(ee)/api/cron/import/csv/route.ts
    start: 'Short link,Destination URL,Title,Created at,Tags\r\n',
    line: ({ shortUrl, target, title, createdAt, tags }) =>
      row([shortUrl, target, title, createdAt, tags.join(', ')]),
    end: '',
    namesHosts: true,
  },
};

const row = (cells: readonly string[]): string =>
  `${cells.map((cell) => csvPart(cell.replaceAll(/[\r\n]+/g, ' '))).join(',')}\r\n`;
