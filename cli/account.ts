import { createClient, dataOf } from './client.ts';
import { UsageError, type Command } from './command.ts';
import { readSecret } from './read-secret.ts';
import { request } from './request.ts';
import { originOf } from './server-origin.ts';
import { deleteSettings, settingsFile, writeSettings } from './settings.ts';
import { table } from './text.ts';

export const loginCommand: Command = {
  args: [],
  summary: 'Check an API key and store it. Asks for the key, or reads it from standard input.',
  options: { server: { value: 'URL', short: 's', text: 'where Hop runs; HOP_URL unless set' } },
  examples: ['hop login --server https://hop.example'],
  async run({ text, env, print }) {
    const address = text('server') ?? env['HOP_URL'];
    if (address === undefined)
      throw new UsageError('Say where Hop runs: hop login --server https://hop.example');
    const origin = originOf(address);
    if (origin === null)
      throw new UsageError('--server must be an https address, or one of this machine.');
    const key = await readSecret(`API key (from ${origin}/settings/api): `);
    const me = await request(() => dataOf(createClient(origin, key).GET('/me')));
    writeSettings(env, { origin, key });
    const scopes = me.key.scopes.join(', ');
    print({ server: origin, plan: me.plan, key: me.key }, [
      `Logged in to ${origin} with the key “${me.key.name}” (${scopes}).`,
      `Stored in ${settingsFile(env)}.`,
    ]);
  },
};

export const logoutCommand: Command = {
  args: [],
  summary: 'Delete the stored key. To revoke it, use Settings → API keys.',
  options: {},
  async run({ env, print }) {
    deleteSettings(env);
    print({ loggedOut: true }, [
      'Logged out. The key still works: revoke it in Settings if nothing else uses it.',
    ]);
  },
};

export const whoamiCommand: Command = {
  args: [],
  summary: 'Show the server, the key, and what is left of the quota.',
  options: {},
  async run({ client, origin, print }) {
    const me = await request(() => dataOf(client().GET('/me')));
    const { key, quota, plan } = me;
    print(
      { server: origin(), ...me },
      table(
        [
          ['Server', origin()],
          ['Key', key.name],
          ['Scopes', key.scopes.join(', ')],
          ['Code prefix', key.codePrefix ?? ''],
          ['Key ends', key.expiresAt ?? ''],
          ['Plan', plan],
          ['Links left', `${quota.remaining} of ${quota.limit} until ${quota.resetsAt}`],
        ].filter(([, value]) => value !== ''),
      ),
    );
  },
};
