import { ACCOUNT, json, notFound, type Reply, type Request, type Route } from './fake-reply.ts';

/** The answer while R2 is off (https://github.com/cloudflare/workers-sdk/issues/5399). */
const R2_IS_OFF: Reply = {
  status: 403,
  errors: [{ code: 10042, message: 'Please enable R2 through the Cloudflare Dashboard.' }],
};

/** Wraps the answer of a route of R2, which fails while R2 is off. */
const ofR2 =
  (reply: Route[2]): Route[2] =>
  (account, names, request) =>
    account.hasR2 ? reply(account, names, request) : R2_IS_OFF;

/** Each jurisdiction has separate buckets (https://developers.cloudflare.com/r2/reference/data-location/). */
const bucketOf = ({ jurisdiction }: Request, name: string): string =>
  jurisdiction === '' ? name : `${jurisdiction}/${name}`;

export const R2_ROUTES: Route[] = [
  [
    'GET',
    `${ACCOUNT}/r2/buckets`,
    ofR2((a) => ({ result: { buckets: [...a.buckets].map((name) => ({ name })) } })),
  ],
  [
    'POST',
    `${ACCOUNT}/r2/buckets`,
    ofR2((a, _, request) => {
      const { name, locationHint }: { name: string; locationHint?: string } = json(request);
      a.buckets.add(bucketOf(request, name));
      if (locationHint !== undefined) a.bucketHints.set(name, locationHint);
      return { result: {} };
    }),
  ],
  [
    'GET',
    `${ACCOUNT}/r2/buckets/([^/]+)`,
    ofR2((a, [name = ''], request) =>
      a.buckets.has(bucketOf(request, name)) ? { result: { name } } : notFound(10006, 'no bucket'),
    ),
  ],
  [
    'DELETE',
    `${ACCOUNT}/r2/buckets/([^/]+)`,
    ofR2((a, [name = ''], request) =>
      a.hasBackups
        ? { status: 409, errors: [{ code: 10008, message: 'The bucket is not empty.' }] }
        : { result: a.buckets.delete(bucketOf(request, name)) },
    ),
  ],

  // As `wrangler r2 object` uses them: an object is the body, not an envelope.
  [
    'GET',
    `${ACCOUNT}/r2/buckets/([^/]+)/objects/(.+)`,
    ofR2((a, [name = '', key = ''], request) => {
      const text = a.objects.get(`${bucketOf(request, name)}/${key}`);
      return text === undefined ? notFound(10007, 'no object') : { text };
    }),
  ],
  [
    'PUT',
    `${ACCOUNT}/r2/buckets/([^/]+)/objects/(.+)`,
    ofR2((a, [name = '', key = ''], request) => {
      if (!a.buckets.has(bucketOf(request, name))) return notFound(10006, 'no bucket');
      a.objects.set(`${bucketOf(request, name)}/${key}`, request.body.toString());
      return { result: {} };
    }),
  ],
];
