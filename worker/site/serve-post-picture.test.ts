import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { PICTURE_FILE, picturePath, type PictureLayout } from '#contract/blog/post-text.ts';
import { openDb } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

/** A picture of 4 × 1 pixels on which 'a' is one dark pixel and 'b' two. */
const LAYOUT: PictureLayout = {
  width: 4,
  height: 1,
  palette: ['ffffff', '000000'],
  arc: [],
  title: { left: 0, bottom: 1, width: 4, lines: 1, lineHeight: 1 },
  glyphs: {
    a: [1, 0, 0, 1, 1, 0],
    b: [2, 0, 0, 2, 1, 1],
    é: [1, 0, 0, 1, 1, 0],
    ' ': [1, 0, 0, 0, 0, 0],
  },
  kerning: {},
};

async function pictureFile(): Promise<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(LAYOUT));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, json.length, true);
  const background = [0, 0];
  const glyphs = [0x10, 0x11];
  const file = new Blob([length, json, Uint8Array.from([...background, ...glyphs])]);
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
}

const withFile: Pick<Env, 'ASSETS'> = {
  ASSETS: {
    ...builtAssets.ASSETS,
    fetch: async (input: RequestInfo | URL) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      return pathname === PICTURE_FILE
        ? new Response(await pictureFile())
        : builtAssets.ASSETS.fetch(input);
    },
  },
};
const picture = (slug: string, overrides: Partial<Env> = withFile) =>
  call(picturePath(slug), {}, overrides);

beforeAll(async () => {
  const row = { content: 'x', published: true, created_at: 1, updated_at: 1 };
  const rows = [
    { ...row, slug: 'ab', title: 'ab' },
    { ...row, slug: 'two-code-points', title: 'e\u0301' },
    { ...row, slug: 'unknown-letters', title: 'c' },
    { ...row, slug: 'no-file', title: 'a' },
    { ...row, slug: 'draft', title: 'a', published: false },
    { ...row, slug: 'changed', title: 'a' },
  ];
  for (const values of rows) await openDb(env.DB).insert(posts).values(values);
});

describe('GET /blog/:slug/picture.png', () => {
  it('serves a PNG that may be cached, and nothing but a picture', async () => {
    const response = await picture('ab');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('image/png');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=86400');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    expect((await picture('two-code-points')).status).toBe(200);
    const head = await call(picturePath('ab'), { method: 'HEAD' }, withFile);
    expect([head.status, head.headers.get('Content-Type'), await head.text()]).toEqual([
      200,
      'image/png',
      '',
    ]);
  });

  it('the general picture is sent where the title cannot be drawn', async () => {
    for (const response of [
      await picture('unknown-letters'),
      await picture('no-file', builtAssets),
    ]) {
      expect([response.status, response.headers.get('Location')]).toEqual([
        302,
        'http://localhost:8787/social.png',
      ]);
      expect(response.headers.get('Cache-Control')).toBe('public, max-age=86400');
    }
  });

  it.each(['draft', 'no-such-post', '%3Cscript%3E'])('returns 404 for %s', async (slug) => {
    expect((await call(`/blog/${slug}/picture.png`, {}, withFile)).status).toBe(404);
  });

  it('the picture is drawn again after the title has changed, at a new address', async () => {
    const admin = await makePerson({ role: 'admin' });
    const addressIn = async () =>
      /<meta property="og:image" content="([^"]*)">/.exec(
        await (await call('/blog/changed', {}, withFile)).text(),
      )?.[1];
    const address = await addressIn();
    expect(address).toContain('http://localhost:8787/blog/changed/picture.png?v=');
    const drawn = await picture('changed');
    expect(drawn.status).toBe(200);
    const before = await drawn.bytes();
    const post = await (await call('/api/blog/changed')).json<{ id: number }>();
    await call(`/api/blogs-admin/${post.id}`, {
      method: 'PATCH',
      json: { title: 'b' },
      headers: admin.headers,
    });
    expect(await (await picture('changed')).bytes()).not.toEqual(before);
    expect(await addressIn()).not.toBe(address);
  });
});
