import * as z from 'zod/mini';
import { domainName } from '#contract/domains.ts';

/**
 * The files by which a phone decides whether an app opens the links of a host: Apple's "Supporting
 * associated domains" and Android's "Configure website associations".
 */
export const APP_LINK_FILES = ['apple', 'android'] as const;
export type AppLinkFile = (typeof APP_LINK_FILES)[number];

export const APP_LINK_PATHS: Readonly<Record<AppLinkFile, string>> = {
  apple: '/.well-known/apple-app-site-association',
  android: '/.well-known/assetlinks.json',
};

export const APP_LINK_TYPE = 'application/json';

/** The file at `pathname`; null if there is none. */
export const appLinkFileOf = (pathname: string): AppLinkFile | null =>
  APP_LINK_FILES.find((file) => APP_LINK_PATHS[file] === pathname) ?? null;

/** In bytes. Apple's limit; Android documents none. */
export const APP_LINK_FILE_MAX = 128 * 1024;

const filled = <Item extends z.ZodMiniType>(item: Item) =>
  z.array(item).check(z.minLength(1, 'must not be empty'));

const appId = z
  .string()
  .check(
    z.regex(
      /^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$/,
      'must be a team ID and a bundle ID, like ABCDE12345.com.example.app',
    ),
  );
const apps = z.looseObject({ apps: z.array(appId) });
const pattern = z.union([z.string(), z.record(z.string(), z.string())]);
/** Unknown members fail, because a phone ignores them: with “exlude”, the app opens the path. */
const appleComponent = z.strictObject({
  '/': z.optional(z.string()),
  '?': z.optional(pattern),
  '#': z.optional(z.string()),
  exclude: z.optional(z.boolean()),
  comment: z.optional(z.string()),
  caseSensitive: z.optional(z.boolean()),
  percentEncoded: z.optional(z.boolean()),
});
const appleDetail = z
  .looseObject({
    appID: z.optional(appId),
    appIDs: z.optional(filled(appId)),
    components: z.optional(z.array(appleComponent)),
    paths: z.optional(z.array(z.string())),
  })
  .check(
    z.refine(
      ({ appID, appIDs }) => appID !== undefined || appIDs !== undefined,
      'needs “appIDs”, the apps that open the links',
    ),
  );
const appleFile = z
  .looseObject({
    applinks: z.optional(z.looseObject({ details: filled(appleDetail) })),
    webcredentials: z.optional(apps),
    appclips: z.optional(apps),
    activitycontinuation: z.optional(apps),
  })
  .check(
    z.refine(
      (file) => Object.values(file).some((service) => service !== undefined),
      'needs “applinks”',
    ),
  );

const androidComponent = z.looseObject({
  '/': z.optional(z.string()),
  '?': z.optional(z.record(z.string(), z.string())),
  '#': z.optional(z.string()),
  exclude: z.optional(z.boolean()),
});
const rules = z.looseObject({
  dynamic_app_link_components: z.optional(z.array(androidComponent)),
});
const packageName = z
  .string()
  .check(
    z.regex(/^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/, 'must be a package name, like com.example.app'),
  );
const fingerprint = z
  .string()
  .check(
    z.regex(
      /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/,
      'must be 32 pairs of the characters 0–9 and A–F, separated by colons',
    ),
  );
const androidStatement = z.looseObject({
  relation: filled(z.string()),
  target: z.discriminatedUnion(
    'namespace',
    [
      z.looseObject({
        namespace: z.literal('android_app'),
        package_name: packageName,
        sha256_cert_fingerprints: filled(fingerprint),
      }),
      z.looseObject({ namespace: z.literal('web'), site: z.url('must be an address') }),
    ],
    'needs the “namespace” android_app or web',
  ),
  relation_extensions: z.optional(z.record(z.string(), rules)),
});
const androidFile = filled(androidStatement);

const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  object: 'an object',
  record: 'an object',
  string: 'a string',
  boolean: 'true or false',
};

/** Returns what is wrong with the text of a file: one sentence, or null if a phone can read it. */
function findFault(file: AppLinkFile, text: string): string | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'The content cannot be read as JSON. Check its commas, quotes and brackets.';
  }
  const schema: z.ZodMiniType = file === 'apple' ? appleFile : androidFile;
  const parsed = schema.safeParse(json, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys')
        return `has the unknown member “${issue.keys.join('”, “')}”`;
      return issue.code === 'invalid_type'
        ? `must be ${TYPES[issue.expected] ?? issue.expected}`
        : 'must be a string, or an object of strings';
    },
  });
  const [issue] = parsed.error?.issues ?? [];
  return issue === undefined ? null : `${nameOf(issue.path)} ${issue.message}.`;
}

/** `['applinks', 'details', 0]` → `“applinks.details[0]”`. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`;
    return before === '' ? String(part) : `${before}.${String(part)}`;
  }, '');
  return name === '' ? 'The file' : `“${name}”`;
}

const contentOf = (file: AppLinkFile) =>
  z.string().check(
    z.trim(),
    z.refine(
      (text) => new TextEncoder().encode(text).length <= APP_LINK_FILE_MAX,
      'This file is too long. A phone reads at most 128 KB.',
    ),
    (payload) => {
      const fault = payload.value === '' ? null : findFault(file, payload.value);
      if (fault !== null)
        payload.issues.push({ code: 'custom', message: fault, input: payload.value });
    },
  );

/** GET /api/admin/app-links. `domain` is one of the operator's; '' the deployment's own host. */
export const appLinksQuery = z.object({ domain: z._default(domainName, '') });

const changeOf = <File extends AppLinkFile>(file: File) =>
  z.object({ ...appLinksQuery.shape, file: z.literal(file), content: contentOf(file) });
/** POST /api/admin/app-links. An empty `content` removes the file. */
export const appLinksChange = z.discriminatedUnion('file', [
  changeOf('apple'),
  changeOf('android'),
]);
export type AppLinksChange = z.infer<typeof appLinksChange>;

/**
 * A file and what a phone receives at its address. `content` is '' and `changedAt` null without
 * one.
 */
export type ServedAppLinkFile = {
  file: AppLinkFile;
  url: string;
  content: string;
  changedAt: string | null;
  /** The apps that the file names. */
  apps: string[];
  status: number;
  type: string;
  bytes: number;
};

/** The files of a domain. `ownPages`: the pages of the application have the same host. */
export type AppLinksResponse = { ownPages: boolean; files: ServedAppLinkFile[] };

/** Returns the apps that a valid file names: app IDs of Apple, or package names of Android. */
export function namedApps(file: AppLinkFile, content: string): string[] {
  if (content === '') return [];
  const json: unknown = JSON.parse(content);
  const names =
    file === 'apple' ? appleApps(appleFile.parse(json)) : androidApps(androidFile.parse(json));
  return [...new Set(names)];
}

const appleApps = (file: z.infer<typeof appleFile>): string[] => [
  ...(file.applinks?.details ?? []).flatMap(({ appID, appIDs = [] }) =>
    appID === undefined ? appIDs : appIDs.concat(appID),
  ),
  ...[file.webcredentials, file.appclips, file.activitycontinuation].flatMap(
    (service) => service?.apps ?? [],
  ),
];

const androidApps = (file: z.infer<typeof androidFile>): string[] =>
  file.flatMap(({ target }) => (target.namespace === 'android_app' ? [target.package_name] : []));
