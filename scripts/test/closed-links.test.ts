import { afterEach, expect, it, vi } from 'vitest';
import { findOpened } from './closed-links.ts';

afterEach(() => vi.unstubAllGlobals());

/** A release that redirects ordinary links, and answers others as given or with 404. */
const openedBy = (answers: Record<string, () => Response>, knowsRules = false) => {
  vi.stubGlobal('fetch', async (url: string, { redirect }: RequestInit) => {
    expect(redirect).toBe('manual');
    const path = url.replace('https://hop.example/', '');
    const isOpen = path.startsWith('open-');
    return answers[path]?.() ?? new Response(null, { status: isOpen ? 302 : 404 });
  });
  return findOpened('https://hop.example', { knowsRules });
};
const redirect = () => new Response(null, { status: 302 });

it('a release that opens no link with conditions passes', async () => {
  const form = () => new Response('Enter the password');
  expect(await openedBy({ 'closed-kv-password': form })).toEqual([]);
});

it('redirects, previews with the destination and lost ordinary links are named', async () => {
  const preview = () => new Response('https://behind-a-rule.example/');
  const gone = () => new Response(null, { status: 410 });
  const answers = { 'closed-d1-limit': redirect, 'closed-kv-start+': preview, 'open-d1': gone };
  expect(await openedBy(answers)).toEqual([
    '/closed-kv-start+ answers 200',
    '/closed-d1-limit answers 302',
    '/closed-d1-limit answers 302',
    '/open-d1 answers 410, not 302',
  ]);
});

it('a release that knows rules may open a link with rules only', async () => {
  const answers = { 'closed-kv-rules': redirect, 'closed-kv-both': redirect };
  const lines = (code: string) => [1, 2].map(() => `/closed-kv-${code} answers 302`);
  expect(await openedBy(answers)).toEqual([...lines('rules'), ...lines('both')]);
  expect(await openedBy(answers, true)).toEqual(lines('both'));
});
