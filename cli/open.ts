import { spawn } from 'node:child_process';
import { RequestFailed } from './client.ts';
import type { Command } from './command.ts';
import { findLink, LINK } from './find-link.ts';

const PAGES = ['analytics', 'preview', 'target', 'qr'] as const;
/** The program that opens an address, by platform. On Linux, $BROWSER comes first. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  // `start` would need a shell, which reads `&` in an address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

export const openCommand: Command = {
  args: [LINK],
  summary: 'Open a page about a link in the browser, and print its address.',
  options: {
    page: { value: 'PAGE', short: 'p', text: 'analytics unless set', choices: PAGES },
  },
  examples: ['hop open spring --page preview'],
  async run({ args, choice, client, origin, env, print }) {
    const { code, shortUrl, url } = await findLink(client(), args[0]);
    const address = {
      analytics: `${origin()}/analytics/${encodeURIComponent(code)}`,
      preview: `${shortUrl}+`,
      target: url,
      qr: `${origin()}/qr/${encodeURIComponent(code)}`,
    }[choice('page', PAGES) ?? 'analytics'];
    print({ opened: address }, [address]);
    await openInBrowser(address, env);
  },
};

async function openInBrowser(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  // A program must not take a server’s text for an option or a file.
  if (!/^https?:\/\//i.test(address))
    throw new RequestFailed(`“${address}” is no web address.`, null);
  const fallback = [env['BROWSER'] || 'xdg-open'];
  const [program = '', ...first] = OPENERS[process.platform] ?? fallback;
  const opener = spawn(program, [...first, address], { stdio: 'ignore', detached: true });
  await new Promise<void>((done, fail) => {
    opener.once('spawn', done);
    opener.once('error', () =>
      fail(new RequestFailed(`${program} could not be started. Open the address yourself.`, null)),
    );
  });
  opener.unref();
}
