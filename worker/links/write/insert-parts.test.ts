import { env } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { makeLinks, rowsOf } from '#worker/testing/clicks.ts';
import { insertLinkTags, insertLinkWords } from './insert-parts.ts';

it('adds tags and words to inserted links, and to no earlier link of the same code', async () => {
  const [before, now] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)];
  await makeLinks([1], 'user', before);
  await makeLinks([2], 'user', now);
  const links = ['link1', 'link2'].map((code) => ({
    code,
    userId: 'user',
    tagIds: [7],
    words: ['tea', 'example'],
  }));
  await runBatch(openDb(env.DB), [...insertLinkTags(links, now), ...insertLinkWords(links, now)]);
  expect((await rowsOf('link_tags')).map((row) => row['link_id'])).toEqual([2]);
  expect(new Set((await rowsOf('link_words')).map((row) => row['link_id']))).toEqual(new Set([2]));
});
