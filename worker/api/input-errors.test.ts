import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { WITH_PROVIDER } from '#worker/testing/oidc-provider.ts';
import { ROUTE_INPUTS } from '#worker/testing/route-inputs.ts';
import { SIGN_IN_INPUTS } from '#worker/testing/sign-in-inputs.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { newNetwork } from '#worker/testing/visitor.ts';
import { app } from './app.ts';
import { routeNames, type RouteName } from './base-app.ts';

/**
 * Sends wrong types to every field of every route. The routes come from the router, the fields and
 * their valid types from the schemas.
 */
const ROUTES = routeNames(app);
const isSignIn = (name: RouteName): boolean => name.includes(' /api/auth/v1/');
const LONG = 'x'.repeat(10_000);
const WRONG_JSON = [undefined, null, true, -1, 1.5, 9e15, '', 'nonsense', LONG, [], ['x'], {}];
const WRONG_BODIES = [null, true, 7, 'text', [], [{}]];
const WRONG_TEXT = [undefined, '', 'nonsense', '-1', '1.5', 'null', '5d', LONG];
const WRONG_PATHS = [
  '0',
  '-1',
  '1.5',
  'no-such-thing',
  '%00',
  '%F0%9F',
  'a%20b',
  '{}',
  LONG.slice(0, 500),
];

/** The words that messages for a screen use for a field. */
const WORDS: Readonly<Record<string, string>> = {
  longUrl: 'link|address',
  longUrls: 'link',
  customCode: 'alias',
  expiresAt: 'end date',
  startsAt: 'start date',
  fallbackUrl: 'destination|fallback',
  rootUrl: 'link|address',
  notFoundUrl: 'link|address',
  watchFallback: 'destination|fallback',
  redirectStatus: 'redirect status',
  clickLimit: 'click limit',
  rules: 'rule',
  variants: 'variant',
  weight: 'share|variant',
  to: 'destination',
  forwardParams: 'parameter',
  hosts: 'host',
  code: 'link|short URL',
  q: 'search',
  id: 'post|report|key|session|tag|template|view|webhook|preset',
  tags: 'tag',
  codes: 'code',
  url: 'address|destination|link|webhook',
  slug: 'post',
  value: 'entry',
  name: 'domain|picture',
  confirmed: 'domain',
  email: 'address',
  confirm: 'delete my account',
  // Tests reach no server with which a key could be tried.
  key: 'key|address',
};

type Path = (string | number)[];
type Answer = { status: number; error: string; field: string };

/** The paths of all fields that a schema knows, in any of its variants. */
function fieldsOf(schema: z.ZodMiniType): Path[] {
  const paths = pathsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()];
}

function pathsIn(
  schema: z.core.JSONSchema._JSONSchema | z.core.JSONSchema._JSONSchema[] | undefined,
): Path[] {
  if (typeof schema !== 'object' || Array.isArray(schema)) return [];
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(pathsIn);
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    pathsBelow(name, inner),
  );
  return [
    ...variants,
    ...members,
    ...(schema.items === undefined ? [] : pathsBelow(0, schema.items)),
  ];
}

function pathsBelow(name: string | number, schema: Parameters<typeof pathsIn>[0]): Path[] {
  const start: Path = [name];
  return [start, ...pathsIn(schema).map((path) => start.concat(path))];
}

function withValue(value: unknown, [first, ...rest]: Path, other: unknown): unknown {
  if (first === undefined) return other;
  const inner = withValue(Object(value)[first], rest, other);
  return Array.isArray(value)
    ? value.with(Number(first), inner)
    : { ...Object(value), [first]: inner };
}

/**
 * True if a message names the field at `path`, or one below it, in the words of the API or the
 * screen.
 */
function names(sentence: string, path: Path): boolean {
  const words = path.flatMap((name) =>
    typeof name === 'string' ? [name, WORDS[name] ?? name] : [],
  );
  return new RegExp(`\\b(${words.join('|')})`, 'i').test(sentence);
}

const isSentence = (text: string): boolean =>
  text !== '' && !/invalid input|is not valid|undefined|\[object/i.test(text);

let person: Person;
let open: Partial<Env>;
beforeAll(async () => {
  // The only administrator, whose account cannot be deleted.
  person = await makePerson({ role: 'admin', plan: 'premium' });
  const limits = Object.keys(env).filter((name) => name.startsWith('LIMIT_'));
  open = Object.fromEntries(
    limits.map((name) => [name, { limit: () => Promise.resolve({ success: true }) }]),
  );
});

async function ask(
  route: RouteName,
  options: { path?: string; query?: string; json?: unknown } = {},
): Promise<Answer> {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replaceAll(/:\w+/g, options.path ?? '7');
  const headers = { 'CF-Connecting-IP': newNetwork(), ...person.headers };
  const body = 'json' in options ? { json: options.json } : {};
  const response = await call(path + (options.query ?? ''), { method, headers, ...body }, open);
  const { error = '', field = '' } =
    response.status < 400 ? {} : await response.json<{ error?: string; field?: string }>();
  return { status: response.status, error, field };
}

describe('every field of every route', () => {
  const routes = ROUTES.filter((name) => !isSignIn(name));

  it('ROUTE_INPUTS has every field of every route', () => {
    expect(Object.keys(ROUTE_INPUTS).sort()).toEqual(routes.toSorted());
    const files = import.meta.glob('/worker/**/*routes.ts', {
      query: '?raw',
      import: 'default',
      eager: true,
    });
    const source = Object.values(files).join('\n');
    for (const [reader, kind] of [
      ['readJson', 'body'],
      ['readQuery', 'query'],
    ] as const) {
      const inputs = Object.values(ROUTE_INPUTS).filter((input) => input[kind] !== undefined);
      // `namedRoutes` contains one call of readJson, and reads a body for each of its own calls.
      const named = kind === 'body' ? source.split('= namedRoutes({').length - 2 : 0;
      expect(inputs, `one ${kind} for each call of ${reader}`).toHaveLength(
        source.split(`${reader}(c`).length - 1 + named,
      );
    }
  });

  const bodies = routes.flatMap((name) => {
    const body = ROUTE_INPUTS[name]?.body;
    return body === undefined ? [] : [{ route: name, ...body }];
  });
  const queries = routes.flatMap((name) => {
    const query = ROUTE_INPUTS[name]?.query;
    return query === undefined ? [] : [{ route: name, ...query }];
  });

  function expectNamed(answer: Answer, path: Path, what: string): void {
    expect(answer.status, what).toBe(400);
    expect(isSentence(answer.error), `${what}: ${answer.error}`).toBe(true);
    expect(names(answer.error, path), `${what}: ${answer.error}`).toBe(true);
  }

  it.each(bodies)(
    '[T28] a 400 names the field that is wrong in the body of $route',
    async ({ route, schema, examples }) => {
      let unchecked = fieldsOf(schema);
      const seen = new Set<string>();
      for (const example of examples) {
        expect(schema.safeParse(example).success, 'the example').toBe(true);
        const rejected = new Set<Path>();
        for (const path of unchecked)
          for (const value of WRONG_JSON) {
            const name = path.join('.');
            const json = withValue(example, path, value);
            const what = `${name} = ${JSON.stringify(value)?.slice(0, 20)}`;
            const { success, error } = schema.safeParse(json);
            if (!success) {
              // The message depends only on these, so each is checked once.
              const cause = JSON.stringify([name, error.issues]);
              if (seen.has(cause)) continue;
              seen.add(cause);
              const answer = await ask(route, { json });
              rejected.add(path);
              expectNamed(answer, path, what);
              // If a field accepts several forms, a wrong item makes the whole field wrong.
              const isNear =
                `${answer.field}.`.startsWith(`${name}.`) ||
                `${name}.`.startsWith(`${answer.field}.`);
              if (answer.field !== '') expect(isNear, `${what}: ${answer.field}`).toBe(true);
            } else if (path.length === 1 && Object.hasOwn(example, name)) {
              const answer = await ask(route, { json });
              if (answer.status === 400) expectNamed(answer, path, what);
              else
                expect(
                  [answer.status < 500, answer.status < 300 || isSentence(answer.error)],
                  what,
                ).toEqual([true, true]);
            }
          }
        // Paths that one variant checked need no check in the others.
        unchecked = unchecked.filter((path) => !rejected.has(path));
      }
      expect(unchecked).toEqual([]);
    },
  );

  // All routes read bodies with one function, so only the first gets every wrong body.
  it.each(bodies.map(({ route }, i) => ({ route, wrong: i === 0 ? WRONG_BODIES : [null, ['x']] })))(
    '[T28] $route says that the body must be an object',
    async ({ route, wrong }) => {
      for (const json of wrong)
        expect(await ask(route, { json })).toMatchObject({
          status: 400,
          error: 'The body must be a JSON object.',
        });
    },
  );

  it.each(queries)(
    '[T28] a 400 names the field that is wrong in the query of $route',
    async ({ route, schema, example }) => {
      const seen = new Set<string>();
      for (const [name = ''] of fieldsOf(schema).map((path) => path.map(String))) {
        let rejected = 0;
        for (const value of WRONG_TEXT) {
          const { [name]: _, ...rest } = example;
          const query = value === undefined ? rest : { ...rest, [name]: value };
          const { success, data, error } = schema.safeParse(query);
          // The answer depends only on these, so each is checked once.
          const cause = JSON.stringify(success ? data : [name, error.issues]);
          if (seen.has(cause)) continue;
          seen.add(cause);
          const answer = await ask(route, { query: `?${new URLSearchParams(query).toString()}` });
          const what = `${name} = ${value?.slice(0, 20)}`;
          if (success) expect([200, 303, 404], what).toContain(answer.status);
          else {
            rejected += 1;
            expectNamed(answer, [name], what);
            expect(answer.field, what).toBe(name);
          }
        }
        expect(rejected, name).toBeGreaterThan(0);
      }
    },
  );

  // The first route with a parameter gets every wrong value, the others get three in turn.
  const withParam = routes.filter((name) => name.includes(':'));
  const paramOf = (route: string): string => /:(\w+)/.exec(route)?.[1] ?? '';
  const wrongPathsOf = (route: string, at: number): readonly string[] =>
    withParam.find((one) => paramOf(one) === paramOf(route)) === route
      ? WRONG_PATHS
      : WRONG_PATHS.filter((_, i) => i % 3 === at % 3);

  it.each(withParam.map((route, at) => ({ route, wrong: wrongPathsOf(route, at) })))(
    '[T28] a 400 names the field that is wrong in the path of $route',
    async ({ route, wrong }) => {
      const json = ROUTE_INPUTS[route]?.body?.examples[0];
      const param = paramOf(route);
      for (const path of wrong) {
        const { status, error } = await ask(route, {
          path,
          ...(json === undefined ? {} : { json }),
        });
        expect(status, path).toBe(404);
        expect(names(error, [param]), `${path}: ${error}`).toBe(true);
      }
    },
  );
});

describe('every field of the sign-in routes', () => {
  let headers: Record<string, string>;
  beforeAll(async () => {
    ({ headers } = await signInEmbedded());
  });

  it('SIGN_IN_INPUTS has every field of the sign-in routes', () => {
    expect(Object.keys(SIGN_IN_INPUTS).sort()).toEqual(ROUTES.filter(isSignIn).toSorted());
  });

  it.each(Object.entries(SIGN_IN_INPUTS).filter(([, { body }]) => body !== undefined))(
    '[T28] an error of a sign-in route names the field with the wrong type: %s',
    async (route, { query = '', body = {} }) => {
      const [method = '', path = ''] = route.split(' ');
      const send = async (json: unknown): Promise<{ status: number; message: string }> => {
        const init = {
          method,
          json,
          headers: { ...headers, 'X-Supabase-Api-Version': '2024-01-01' },
        };
        const response = await call(path + query, init, { ...open, ...EMBEDDED, ...WITH_PROVIDER });
        return { status: response.status, ...(await response.json<{ message: string }>()) };
      };
      for (const [name, value] of Object.entries(body))
        for (const wrong of [true, 7, ['x'], ...(typeof value === 'string' ? [{}] : ['x'])]) {
          const answer = await send({ ...body, [name]: wrong });
          expect(answer).toMatchObject({
            status: 400,
            message: expect.stringContaining(`${name} must be a`),
          });
        }
      for (const wrong of [null, ['x']])
        expect(await send(wrong)).toMatchObject({
          status: 400,
          message: expect.stringContaining('an object is expected'),
        });
    },
  );

  it.each([
    ['POST', '/api/auth/v1/token?grant_type=magic', 'grant_type: use password or refresh_token'],
    ['POST', '/api/auth/v1/logout?scope=all', 'use global, local or others'],
  ])('%s %s says what the query may have', async (method, path, text) => {
    const response = await call(
      path,
      { method, json: {}, headers: { ...headers, 'X-Supabase-Api-Version': '2024-01-01' } },
      EMBEDDED,
    );
    expect(await response.json()).toMatchObject({ message: expect.stringContaining(text) });
  });
});
