import { readArguments } from './arguments.ts';
import { smokeAccount } from './smoke-account.ts';

const TARGET = 'https://example.com/';
const COUNTED_WITHIN_MS = 60_000;
const POLL_MS = 250;
/** The headers that a browser sends when somebody opens a link. */
const NAVIGATION = {
  Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Site': 'none',
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

class Failure extends Error {}

function expectThat(holds: boolean, message: string): void {
  if (!holds) throw new Failure(message);
}

/** Runs all checks and prints a line for each. Resolves to true if all passed. */
export async function smoke(origin: string, key?: string): Promise<boolean> {
  let passed = true;
  const step = async <T>(name: string, run: () => Promise<T>): Promise<T | null> => {
    const began = performance.now();
    try {
      const result = await run();
      console.log(`  ok    ${name}  ${Math.round(performance.now() - began)} ms`);
      return result;
    } catch (error) {
      passed = false;
      console.log(`  FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  };
  const get = (address: string, headers: Record<string, string> = {}) =>
    fetch(new URL(address, origin), {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
    });

  await step('alive', async () =>
    expectThat((await get('/api/health')).status === 200, '/api/health did not answer 200'),
  );
  await step('ready', async () => {
    const { status } = await get('/api/ready');
    expectThat(status === 200, `/api/ready answered ${status}; the admin dashboard says why`);
  });
  await step('page and headers', async () => checkPage(await get('/', NAVIGATION)));
  await step('unknown code', async () =>
    expectThat(
      (await get(`/${crypto.randomUUID().slice(0, 13)}`, NAVIGATION)).status === 404,
      'it is not answered with 404',
    ),
  );

  const account = await step('account', () => smokeAccount(origin, key));
  if (account === null) return false;
  const link = await step('new link', () => account.create(TARGET));
  if (link !== null) {
    await step('redirect', async () => checkRedirect(await get(link.shortUrl, NAVIGATION)));
    const { clicksOf, remove } = account;
    if (clicksOf !== null)
      await step('click counted once', () => untilCounted(() => clicksOf(link)));
    if (remove !== null)
      await step('link deleted', async () => {
        await remove(link);
        const { status } = await get(`${link.shortUrl}+`, NAVIGATION);
        expectThat(status === 410, `its preview answers ${status} instead of 410`);
      });
    else
      console.log(
        `  note  ${link.shortUrl} stays, and its click was not checked: use --key to check it and delete the link.`,
      );
  }
  if (account.close !== null) await step('account deleted', account.close);
  return passed;
}

async function checkPage(response: Response): Promise<void> {
  expectThat(response.status === 200, `/ answered ${response.status}`);
  expectThat(
    response.headers.get('Content-Type')?.startsWith('text/html') === true,
    '/ is no HTML',
  );
  expectThat((await response.text()).includes('</html>'), '/ is not complete');
  const required = ['Content-Security-Policy', 'X-Content-Type-Options', 'Referrer-Policy'];
  if (response.url.startsWith('https:')) required.push('Strict-Transport-Security');
  const missing = required.filter((name) => !response.headers.has(name));
  expectThat(missing.length === 0, `/ lacks the headers ${missing.join(', ')}`);
}

function checkRedirect({ status, headers }: Response): Promise<void> {
  expectThat(status === 302, `it answered ${status} instead of 302`);
  expectThat(headers.get('Location') === TARGET, `it leads to ${headers.get('Location')}`);
  expectThat(headers.get('Cache-Control') === 'private, no-store', 'it may be cached');
  return Promise.resolve();
}

async function untilCounted(read: () => Promise<number>): Promise<void> {
  const end = Date.now() + COUNTED_WITHIN_MS;
  let clicks = await read();
  while (clicks === 0 && Date.now() < end) {
    await new Promise((done) => setTimeout(done, POLL_MS));
    clicks = await read();
  }
  expectThat(
    clicks === 1,
    clicks === 0 ? `not within ${COUNTED_WITHIN_MS / 1000} seconds` : `counted ${clicks} times`,
  );
}

if (import.meta.main) {
  const { values, positionals } = readArguments({
    usage: 'npm run smoke -- https://host [--key hop_live_…]',
    about: `Checks a running product from outside: health, headers, a new link, its redirect, its click, and
the clean-up. Fails if something is wrong. A local product gets an account from its mailbox, which is
deleted afterwards; anywhere else, without a key, the link is made as a visitor and stays behind.`,
    options: {
      key: {
        type: 'string',
        value: 'KEY',
        meaning: 'makes the link; scopes links:create, links:read, links:write',
      },
    },
  });
  const [host = ''] = positionals;
  if (!/^https?:\/\/[^/]+\/?$/.test(host)) {
    console.error('Name the origin: npm run smoke -- https://host');
    process.exitCode = 1;
  } else {
    console.log(host);
    const passed = await smoke(host, values.key);
    console.log(passed ? 'All checks passed.' : 'Some checks failed.');
    process.exitCode = passed ? 0 : 1;
  }
}
