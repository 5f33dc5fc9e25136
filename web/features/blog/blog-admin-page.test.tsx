import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Post } from '#contract/blog/blog.ts';
import {
  EXCERPT_MAX,
  POST_AUTHOR_MAX,
  POST_SLUG_MAX,
  POST_TITLE_MAX,
  TAGS_PER_POST_MAX,
} from '#contract/limits.ts';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { currentAddress, press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { takeToasts, waitingToasts } from '#web/ui/announcer.ts';
import { holdsPage } from '#web/ui/unsaved-changes.ts';
import { BlogAdminPage } from './blog-admin-page.tsx';

const POSTS = '/api/blogs-admin';
const post = (id: number, published: boolean): Post => ({
  id,
  title: `Post ${id}`,
  slug: `post-${id}`,
  content: 'Some text.',
  excerpt: '',
  author: '',
  tags: [],
  published,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-21T12:00:00Z',
  published_at: published ? '2026-11-22T12:00:00Z' : null,
});

afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

let members = 0;
/** Shows the page to a user of that role. Each is another one, because the role is kept. */
function show(role: 'user' | 'admin', posts: Post[], answers = {}, address = '/admin/blogs') {
  const email = `${role}${(members += 1)}@example.com`;
  signInAsMember({ email });
  const calls = serveRoutes({
    'GET /api/me': { id: `id of ${email}`, email, role },
    [`GET ${POSTS}`]: posts,
    ...answers,
  });
  Element.prototype.scrollIntoView = () => undefined;
  showPage(<BlogAdminPage />, address);
  return { calls, draftKey: `hop:post:id of ${email}:new` };
}
const TEXT = '10 characters';
const ONLY = 'Only administrators can change published posts';
const figures = () =>
  [...document.querySelectorAll('dd')].slice(0, 4).map(({ textContent }) => textContent);
/** False if the browser asks before the tab closes. */
const mayLeave = (): boolean =>
  globalThis.dispatchEvent(new Event('beforeunload', { cancelable: true }));
const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
const type = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('a writer saves a draft and cannot publish, nor change what is published', async () => {
  const content = 'word '.repeat(60).trim();
  const [created_at, published_at] = ['2026-11-01T12:00:00Z', '2026-11-05T12:00:00Z'];
  const older = { ...post(4, false), content, created_at, published_at };
  const { calls, draftKey } = show('user', [post(1, true), post(2, false), older], {
    [`POST ${POSTS}`]: post(3, false),
  });
  expect(await screen.findByText('Post 1')).toBeTruthy();
  expect(document.activeElement).toBe(document.body);
  expect(screen.getByText('Your posts. Only administrators can publish them.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Your posts' })).toBeTruthy();
  expect(figures()).toEqual(['3', '1', '2', 'Nov 20, 2026']);
  const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(rows.slice(0, 2)).toEqual([
    `Post 1PublishedPublished Nov 22, 2026 · ${TEXT} · post-1Some text.View${ONLY}`,
    `Post 2DraftCreated Nov 20, 2026 · ${TEXT} · post-2Some text.EditDelete`,
  ]);
  expect(rows[2]).toContain('Created Nov 1, 2026');
  expect(screen.getByText(/^word word/).textContent).toMatch(/^.{110,120}…$/);
  expect(hrefOf('View Post 1')).toBe('/blog/post-1');
  expect(hrefOf('Edit Post 2')).toBe('/admin/blogs?edit=2');
  expect(screen.getByLabelText<HTMLInputElement>('Publish immediately').disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Publish Post 2' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete Post 1' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Delete Post 2' })).toBeTruthy();
  type('Title', ' A new post ');
  type('Content', '## Why\n\n- **Text**');
  type('Excerpt', 'In one\nline. ');
  type('Author', ' Asha Rao');
  type('Tags', 'News, #Links, news');
  fireEvent.click(screen.getByRole('tab', { name: 'Preview' }));
  expect(screen.getByRole('heading', { name: 'Why' })).toBeTruthy();
  const item = within(screen.getByRole('article')).getByRole('listitem');
  expect(item.innerHTML).toBe('<p><strong>Text</strong></p>');
  expect(screen.getByText(/· by/).textContent).toBe('1 min read · by Asha Rao · news, links');
  expect(screen.getByText('In one line.')).toBeTruthy();
  expect(sessionStorage.getItem(draftKey)).toContain('A new post');
  await press('Save draft');
  await waitFor(() => expect(takeToasts().map(({ text }) => text)).toEqual(['Draft saved.']));
  expect(writesOf(calls).map(({ body }) => body)).toEqual([
    {
      title: 'A new post',
      slug: 'a-new-post',
      content: '## Why\n\n- **Text**',
      excerpt: 'In one line.',
      author: 'Asha Rao',
      tags: ['news', 'links'],
      published: false,
    },
  ]);
  expect(sessionStorage.getItem(draftKey)).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('');
  expect(screen.queryByText('Enter a title.')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Clear form' })).toBeNull();
  await waitFor(() => expect(calls.filter(({ call }) => call === `GET ${POSTS}`)).toHaveLength(2));
});

it.each([{ ctrlKey: true }, { metaKey: true }])(
  'Enter with %j in the content saves the draft under the slug that was typed',
  async (modifier) => {
    const { calls } = show('user', [], { [`POST ${POSTS}`]: post(3, false) });
    const publish = screen.getByLabelText('Publish immediately');
    const reason = document.getElementById(publish.getAttribute('aria-describedby') ?? '');
    expect(reason?.textContent).toMatch(/^Only administrators can publish/);
    const slug = screen.getByLabelText<HTMLInputElement>('Slug');
    type('Title', 'Keys: Über & more!');
    expect(slug.value).toBe('keys-ber-more');
    type('Slug', 'keys');
    type('Title', 'Keys renamed');
    expect(slug.value).toBe('keys');
    expect(screen.getByText('/blog/keys')).toBeTruthy();
    type('Content', 'First line.\nSecond line.');
    expect(screen.getByText(/^24 characters, 1 min read\./)).toBeTruthy();
    const content = screen.getByLabelText('Content');
    fireEvent.keyDown(content, { key: 'Enter' });
    fireEvent.keyDown(content, { key: 'b', ...modifier });
    expect(writesOf(calls)).toEqual([]);
    fireEvent.keyDown(content, { key: 'Enter', ...modifier });
    await waitFor(() => expect(takeToasts().map(({ text }) => text)).toEqual(['Draft saved.']));
    expect(writesOf(calls).map(({ body }) => body)).toEqual([
      {
        title: 'Keys renamed',
        slug: 'keys',
        content: 'First line.\nSecond line.',
        excerpt: '',
        author: '',
        tags: [],
        published: false,
      },
    ]);
  },
);

it('publishing can be undone', async () => {
  const answers = [
    () => Response.json(post(2, true)),
    failure(503, 'Not now.'),
    () => Response.json(post(2, false)),
  ];
  const { calls } = show('admin', [post(2, false)], {
    [`PATCH ${POSTS}/2`]: () => answers.shift()?.() ?? {},
  });
  await press('Publish Post 2');
  await waitFor(() => expect(waitingToasts()[0]?.action?.label).toBe('Undo'));
  const [published] = takeToasts();
  act(() => published?.action?.onSelect());
  await waitFor(() =>
    expect(takeToasts()).toMatchObject([{ text: 'Undo failed.', note: 'Not now.', tone: 'bad' }]),
  );
  act(() => published?.action?.onSelect());
  await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Post unpublished.' }]));
  expect(writesOf(calls).map(({ body }) => body)).toEqual([
    { published: true },
    { published: false },
    { published: false },
  ]);
  await pressUnanswered('Publish Post 2');
});

it('the form says while typing that a published post has the slug', async () => {
  const { calls } = show('admin', [], {
    'GET /api/blog/first-post': { ...post(1, true), slug: 'first-post' },
    'GET /api/blog/first-pos': failure(404, 'Not found.'),
  });
  type('Slug', 'first-pos');
  type('Slug', 'first-post');
  expect(await screen.findByText(/Another post already has this slug/)).toBeTruthy();
  expect(calls.map(({ call }) => call)).not.toContain('GET /api/blog/first-pos');
  type('Slug', 'first-post-2');
  expect(screen.queryByText(/Another post already has this slug/)).toBeNull();
  expect(screen.getByText('All posts of the blog, including drafts.')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Publish immediately'));
  expect(screen.getByRole('button', { name: 'Publish post' })).toBeTruthy();
});

it('an administrator publishes, unpublishes and deletes, the last after a question', async () => {
  const unchanged = [failure(503, 'Not now.')];
  const undeleted = [failure(503, 'Not now.')];
  const { calls } = show('admin', [post(1, true), post(2, false)], {
    [`PATCH ${POSTS}/1`]: () => unchanged.pop()?.() ?? post(1, false),
    [`PATCH ${POSTS}/2`]: post(2, true),
    [`DELETE ${POSTS}/2`]: () => undeleted.pop()?.() ?? { success: true },
  });
  await press('Publish Post 2');
  await waitFor(() => expect(takeToasts().map(({ text }) => text)).toEqual(['Post published.']));
  expect(screen.getByRole('heading', { name: 'All posts' })).toBeTruthy();
  await press('Unpublish Post 1');
  await waitFor(() =>
    expect(takeToasts()).toMatchObject([{ text: 'The post was not changed.', note: 'Not now.' }]),
  );
  await press('Unpublish Post 1');
  await waitFor(() => expect(takeToasts().map(({ text }) => text)).toEqual(['Post unpublished.']));
  await press('Delete Post 2');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/permanently deletes “Post 2” at \/blog\/post-2/)).toBeTruthy();
  expect(writesOf(calls).map(({ body }) => body)).toEqual([
    { published: true },
    { published: false },
    { published: false },
  ]);
  fireEvent.click(dialog.getByRole('button', { name: 'Delete post' }));
  expect(await dialog.findByText('Not now.')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await press('Delete Post 2');
  expect(screen.queryByText('Not now.')).toBeNull();
  await press('Delete post');
  await waitFor(() => expect(takeToasts().map(({ text }) => text)).toEqual(['Post deleted.']));
  expect(writesOf(calls).at(-1)?.call).toBe(`DELETE ${POSTS}/2`);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('a slug that is taken is said at its field, until another one is typed', async () => {
  show('user', [], { [`POST ${POSTS}`]: failure(409, 'Taken.', { code: 'slug_taken' }) });
  type('Title', 'Hello');
  type('Content', 'Text.');
  fireEvent.click(screen.getByRole('tab', { name: 'Preview' }));
  await press('Save draft');
  expect((await screen.findByRole('alert')).textContent).toBe('Taken.');
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Hello');
  type('Slug', 'hello-2');
  expect(screen.queryByText('Taken.')).toBeNull();
  await press('Clear form');
  expect(screen.getByLabelText<HTMLInputElement>('Slug').value).toBe('');
});

it('a post that was not saved stays in the form and in the tab, with Retry', async () => {
  const { calls, draftKey } = show('user', [], { [`POST ${POSTS}`]: failure(503, 'Not now.') });
  expect(mayLeave()).toBe(true);
  type('Title', 'Hello');
  type('Content', 'Text.');
  await press('Save draft');
  expect(await screen.findByText('The post was not saved. Not now.')).toBeTruthy();
  await press('Retry');
  await waitFor(() => expect(writesOf(calls)).toHaveLength(2));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Content').value).toBe('Text.');
  expect(sessionStorage.getItem(draftKey)).not.toBeNull();
  await screen.findByText('The post was not saved. Not now.');
  expect(screen.getByLabelText('Slug').getAttribute('aria-invalid')).toBeNull();
  expect([mayLeave(), holdsPage()]).toEqual([false, true]);
  await pressUnanswered('Save draft');
  cleanup();
  showPage(<BlogAdminPage />, '/admin/blogs');
  expect(screen.getByText('We restored your unsaved changes.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Hello');
  await press('Discard changes');
  expect(screen.queryByText('We restored your unsaved changes.')).toBeNull();
  expect(sessionStorage.getItem(draftKey)).toBeNull();
});

it('an incomplete post names its fields and sends nothing', async () => {
  const { calls } = show('user', []);
  await screen.findByText('No blog posts yet');
  fireEvent.click(screen.getByRole('tab', { name: 'Preview' }));
  expect(screen.getByRole('article').textContent).toBe('UntitledNothing to preview yet.');
  fireEvent.submit(screen.getByRole('form', { name: 'New post' }));
  expect(await screen.findByText('Enter a title.')).toBeTruthy();
  expect(screen.getByText('Enter the content of the post.')).toBeTruthy();
  expect(writesOf(calls)).toEqual([]);
});

it.each([
  [
    'Excerpt',
    'x'.repeat(EXCERPT_MAX + 1),
    `The excerpt can have at most ${EXCERPT_MAX} characters.`,
  ],
  [
    'Author',
    'x'.repeat(POST_AUTHOR_MAX + 1),
    `The name of the author can have at most ${POST_AUTHOR_MAX} characters.`,
  ],
  ['Tags', 'a,b,c,d,e,f,g,h,i,j,k', `A post can have at most ${TAGS_PER_POST_MAX} tags.`],
])(
  'what is too long is said at its field, which gets the focus: %s',
  async (label, text, error) => {
    const { calls } = show('user', []);
    const limits = ['Title', 'Slug', 'Excerpt', 'Author'].map(
      (name) => screen.getByLabelText<HTMLInputElement>(name).maxLength,
    );
    expect(limits).toEqual([POST_TITLE_MAX, POST_SLUG_MAX, EXCERPT_MAX, POST_AUTHOR_MAX]);
    type('Title', 'Hello');
    type('Content', 'Text.');
    type(label, text);
    fireEvent.click(screen.getByRole('tab', { name: 'Preview' }));
    fireEvent.submit(screen.getByRole('form', { name: 'New post' }));
    await screen.findByText(error);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)));
    expect(writesOf(calls)).toEqual([]);
  },
);

it.each([
  ['admin', 'Edit post', 'Published'],
  ['user', 'New post', 'Publish immediately'],
] as const)('the address of a published post opens for a %s: %s', async (role, form, box) => {
  show(role, [post(1, true)], {}, '/admin/blogs?edit=1');
  expect(await screen.findByRole('heading', { name: /^Post 1/ })).toBeTruthy();
  await waitFor(() => expect(screen.getByRole('form').getAttribute('aria-label')).toBe(form));
  const publish = screen.getByRole('checkbox', { name: box });
  expect(publish.getAttribute('aria-describedby') === null).toBe(role === 'admin');
});

it('a cancelled edit closes the form and leaves the post as it was', async () => {
  const { calls } = show('user', [post(2, false)], {}, '/admin/blogs?edit=2');
  expect(await screen.findByRole('form', { name: 'Edit post' })).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Edit post');
  const row = screen.getByRole('link', { name: 'Edit Post 2' });
  expect([row.textContent, row.getAttribute('aria-current'), row.getAttribute('href')]).toEqual([
    'Editing',
    'true',
    '/admin/blogs',
  ]);
  // Nobody else has the slug of the post itself.
  expect(calls.some(({ call }) => call.startsWith('GET /api/blog/'))).toBe(false);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' }).disabled).toBe(
    true,
  );
  type('Title', 'Another');
  await press('Cancel');
  await waitFor(() => expect(currentAddress()).toBe('/admin/blogs'));
  expect(document.activeElement?.textContent).toBe('New post');
  expect([writesOf(calls), sessionStorage.length]).toEqual([[], 0]);
});

it('the posts of a writer stay when more of them could not be loaded', async () => {
  const headers = { Link: `<${POSTS}?before=2>; rel="next"` };
  let isFirst = true;
  const answer = () => {
    if (!isFirst) return failure(503, 'Down.')();
    isFirst = false;
    return Response.json([post(2, false)], { headers });
  };
  show('user', [], { [`GET ${POSTS}`]: answer });
  await press('Load more');
  expect(await screen.findByText('The posts could not be loaded.')).toBeTruthy();
  expect(screen.getByText('Post 2')).toBeTruthy();
  expect(figures()[0]).toBe('1+');
});

it('figures of posts that could not be loaded are unknown, not zero', async () => {
  const down = failure(503, 'Down.');
  show('user', [], { [`GET ${POSTS}`]: down, 'GET /api/me': down });
  expect(figures()).toEqual(['', '', '', '']);
  expect(await screen.findByText('The posts could not be loaded.')).toBeTruthy();
  expect(await screen.findByText('We couldn’t check your permissions.')).toBeTruthy();
  expect(screen.getAllByText('–')).toHaveLength(4);
  expect(screen.queryByText('No blog posts yet')).toBeNull();
});
