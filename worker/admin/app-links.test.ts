import { env } from 'cloudflare:test';
import { desc } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  APP_LINK_FILE_MAX,
  APP_LINK_PATHS,
  type AppLinksResponse,
} from '#contract/pages/app-links.ts';
import { openDb } from '#worker/db/client.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { call } from '#worker/testing/call.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';

const APP = 'https://app.hop.example';
const SHORT = 'https://hop.example';
const APPLE = JSON.stringify({
  applinks: {
    details: [
      {
        appIDs: ['ABCDE12345.com.example.app', 'ABCDE12345.com.example.beta'],
        components: [
          { '/': '/api/*', exclude: true },
          { '/': '/*', '?': { utm: '*' }, comment: 'Links' },
        ],
      },
    ],
  },
  webcredentials: { apps: ['ABCDE12345.com.example.app'] },
});
const ANDROID = JSON.stringify([
  {
    relation: ['delegate_permission/common.handle_all_urls'],
    target: {
      namespace: 'android_app',
      package_name: 'com.example.app',
      sha256_cert_fingerprints: [Array.from({ length: 32 }, () => 'A0').join(':')],
    },
    relation_extensions: {
      'delegate_permission/common.handle_all_urls': {
        dynamic_app_link_components: [{ '/': '/api/*', exclude: true }, { '/': '/*' }],
      },
    },
  },
]);

let admin: Person;
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
});
const save = (file: string, content: string) =>
  call('/api/admin/app-links', { json: { file, content }, headers: admin.headers });
const read = async (overrides: Partial<Env> = {}): Promise<AppLinksResponse> =>
  (
    await call(
      overrides.APP_ORIGIN === undefined ? '/api/admin/app-links' : `${APP}/api/admin/app-links`,
      { headers: admin.headers },
      overrides,
    )
  ).json();

describe('files of app links', () => {
  it.each([
    ['apple', APPLE, ['ABCDE12345.com.example.app', 'ABCDE12345.com.example.beta']],
    ['android', ANDROID, ['com.example.app']],
  ] as const)('serves the %s file as saved, until it is removed', async (file, content, apps) => {
    const path = APP_LINK_PATHS[file];
    expect((await call(path)).status).toBe(404);
    expect((await save(file, `\n${content}\n`)).status).toBe(200);
    const served = await call(path);
    expect([served.status, served.headers.get('Content-Type'), await served.text()]).toEqual([
      200,
      'application/json',
      content,
    ]);
    expect(served.headers.get('Cache-Control')).toBe('public, max-age=3600');
    // The same content again is no change, and has no entry in the log.
    expect((await save(file, content)).status).toBe(200);
    expect(await (await call(path, { method: 'HEAD' })).text()).toBe('');
    expect((await call(path, { method: 'POST' })).status).toBe(405);
    const { files } = await read();
    expect(files.find((one) => one.file === file)).toMatchObject({
      url: `http://localhost:8787${path}`,
      content,
      apps,
      status: 200,
      type: 'application/json',
      bytes: content.length,
    });
    await env.DB.prepare('UPDATE app_link_files SET changed_at = 1').run();
    const pretty = JSON.stringify(JSON.parse(content), null, 1).replace('Links', 'Länks');
    expect((await save(file, pretty)).status).toBe(200);
    const changed = (await read()).files.find((one) => one.file === file);
    const bytes = new TextEncoder().encode(pretty).length;
    expect(changed).toMatchObject({ content: pretty, bytes });
    expect(Date.parse(changed?.changedAt ?? '')).toBeGreaterThan(1);
    expect((await save(file, '')).status).toBe(200);
    expect((await call(path)).status).toBe(404);
    const entries = await openDb(env.DB).select().from(admin_log).orderBy(desc(admin_log.id));
    expect(entries.slice(0, 3)).toMatchObject(
      [
        [{ apps }, null],
        [{ apps }, { apps }],
        [null, { apps }],
      ].map(([before, after]) => ({
        admin_id: admin.id,
        action: 'change_app_links',
        subject: `app-links:${file}`,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
      })),
    );
  });

  it('[T3] serves them on a separate short host, and not on that of the application', async () => {
    await save('apple', APPLE);
    const hosts = { APP_ORIGIN: APP, SHORT_ORIGIN: SHORT };
    const served = await call(SHORT + APP_LINK_PATHS.apple, {}, hosts);
    expect([served.status, served.headers.get('Location'), await served.text()]).toEqual([
      200,
      null,
      APPLE,
    ]);
    expect((await call(APP + APP_LINK_PATHS.apple, {}, hosts)).status).toBe(404);
    const { ownPages, files } = await read(hosts);
    expect([ownPages, files.map(({ url }) => url)]).toEqual([
      false,
      [SHORT + APP_LINK_PATHS.apple, SHORT + APP_LINK_PATHS.android],
    ]);
    expect((await read()).ownPages).toBe(true);
    await save('apple', '');
  });

  it('[T3] serves those of an operator’s domain on its host, and none on that of a member', async () => {
    const [go, mine] = ['go.hop.example', 'go.acme.example'];
    // Another origin, because keys of the edge cache begin with it.
    const hosts = {
      APP_ORIGIN: 'https://further.hop.example',
      SHORT_ORIGIN: SHORT,
      SHORT_HOSTS: go,
      CF_SAAS_ZONE_ID: 'zone',
    };
    const id = await makeDomain(go);
    const member = await makeDomain(mine, { owner: admin.id });
    const ask = (domain: string, json?: object) =>
      call(
        `${hosts.APP_ORIGIN}/api/admin/app-links?domain=${domain}`,
        { headers: admin.headers, ...(json && { json: { ...json, domain } }) },
        hosts,
      );
    const served = async (host: string) => {
      const response = await call(`https://${host}${APP_LINK_PATHS.apple}`, {}, hosts);
      return response.status === 200 ? response.text() : response.status;
    };
    expect(await served(go)).toBe(404);
    const saved = await ask(go, { file: 'apple', content: APPLE });
    expect(await saved.json()).toMatchObject({
      ownPages: false,
      files: [{ url: `https://${go}${APP_LINK_PATHS.apple}`, content: APPLE }, { content: '' }],
    });
    const stored = await env.DB.prepare('SELECT host FROM app_link_files').all();
    expect(stored.results).toEqual([{ host: id }]);
    expect([await served(go), await served('hop.example')]).toEqual([APPLE, 404]);
    const [entry] = await openDb(env.DB).select().from(admin_log).orderBy(desc(admin_log.id));
    expect(JSON.parse(entry?.after ?? '')).toMatchObject({ host: go });
    for (const name of [mine, 'unknown.example']) {
      expect((await ask(name)).status).toBe(404);
      expect((await ask(name, { file: 'apple', content: APPLE })).status).toBe(404);
    }
    await env.DB.prepare('UPDATE app_link_files SET host = ?1').bind(member).run();
    expect(await served(mine)).toBe(404);
    await env.DB.prepare('DELETE FROM app_link_files').run();
  });

  it('answers 503 on a domain while D1 fails', async () => {
    const host = 'go.failing.example';
    await makeDomain(host);
    const hosts = { APP_ORIGIN: APP, SHORT_HOSTS: host };
    const path = `https://${host}${APP_LINK_PATHS.android}`;
    await call(`https://${host}/`, {}, hosts);
    expect((await call(path, {}, { ...hosts, DB: UNTOUCHABLE_DB })).status).toBe(503);
  });

  const detail = (value: object) => JSON.stringify({ applinks: { details: [value] } });
  const statement = (target: object, relation: unknown = ['x']) =>
    JSON.stringify([{ relation, target }]);
  const APP_ID = { appIDs: ['ABCDE12345.com.example.app'] };
  it.each([
    ['apple', '{', 'The content cannot be read as JSON. Check its commas, quotes and brackets.'],
    ['apple', '[]', 'The file must be an object.'],
    ['apple', '{}', 'The file needs “applinks”.'],
    ['apple', '{"applinks":{"details":{}}}', '“applinks.details” must be an array.'],
    ['apple', detail({}), '“applinks.details[0]” needs “appIDs”, the apps that open the links.'],
    [
      'apple',
      detail({ appIDs: ['com.example.app'] }),
      '“applinks.details[0].appIDs[0]” must be a team ID and a bundle ID, like ABCDE12345.com.example.app.',
    ],
    [
      'apple',
      detail({ ...APP_ID, components: [{ '/': '/api/*', exlude: true }] }),
      '“applinks.details[0].components[0]” has the unknown member “exlude”.',
    ],
    [
      'apple',
      detail({ ...APP_ID, components: [{ '?': 1 }] }),
      '“applinks.details[0].components[0].?” must be a string, or an object of strings.',
    ],
    [
      'apple',
      ' '.repeat(3) + JSON.stringify('é'.repeat(APP_LINK_FILE_MAX / 2)),
      'This file is too long. A phone reads at most 128 KB.',
    ],
    ['android', '[]', 'The file must not be empty.'],
    ['android', '{}', 'The file must be an array.'],
    ['android', statement({}, []), '“[0].relation” must not be empty.'],
    [
      'android',
      statement({ namespace: 'ios' }),
      '“[0].target.namespace” needs the “namespace” android_app or web.',
    ],
    [
      'android',
      statement({
        namespace: 'android_app',
        package_name: 'com.example',
        sha256_cert_fingerprints: ['a0'],
      }),
      '“[0].target.sha256_cert_fingerprints[0]” must be 32 pairs of the characters 0–9 and A–F, separated by colons.',
    ],
  ])('rejects a file for %s: %#', async (file, content, error) => {
    const response = await save(file, content);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error, field: 'content' }),
    ]);
    expect((await call(APP_LINK_PATHS.apple)).status).toBe(404);
  });
});
