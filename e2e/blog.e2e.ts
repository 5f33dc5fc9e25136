import { expectAccessible } from './support/axe.ts';
import { query } from './support/database.ts';
import { signInAs } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

test.describe('the public blog', () => {
  test(
    'the list describes each post, and a post keeps its line breaks',
    IN_SOAK,
    async ({ page }) => {
      const { headers } = await signInAs(page, 'admin');
      const slug = `lines-${Date.now()}`;
      const title = `Lines of ${slug}`;
      const content = `One\n  two\n\n\nThree ${'words '.repeat(60)}and an end.`;
      const data = { title, slug, content, published: true };
      const written = await page.request.post('/api/blogs-admin', { headers, data });
      const { id } = await written.json();
      await page.goto('/blogs');
      const card = page.getByRole('listitem').filter({ hasText: title });
      await expect(card).toContainText(`/blog/${slug}`);
      await expect(card).toContainText(/\d min read/);
      await expect(card).toContainText('…');
      await card.getByRole('link', { name: title }).click();
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused();
      const text = page.locator('article .prose-hop');
      expect(await text.innerText()).toBe(content);
      expect(await text.evaluate((element) => getComputedStyle(element).whiteSpaceCollapse)).toBe(
        'preserve',
      );
      const neighbor = page
        .getByRole('navigation', { name: 'More posts' })
        .getByRole('link')
        .first();
      const path = await neighbor.getAttribute('href');
      await neighbor.click();
      await expect(page).toHaveURL(String(path));
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
      await page.request.delete(`/api/blogs-admin/${id}`, { headers });
    },
  );

  test(
    'Share opens the share sheet, or copies the link where there is none',
    IN_SOAK,
    async ({ page, context, baseURL }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const [post] = query('SELECT slug, title FROM posts WHERE published = 1 ORDER BY id LIMIT 1');
      const url = `${baseURL}/blog/${String(post?.['slug'])}`;
      await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
      await page.goto(url);
      await page.getByRole('button', { name: 'Share' }).click();
      await expect(page.getByText('Copied!').last()).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);

      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'share', {
          value: async (data: ShareData) => {
            document.title = JSON.stringify(data);
          },
        });
      });
      await page.goto(url);
      await page.getByRole('button', { name: 'Share' }).click();
      await expect(page).toHaveTitle(JSON.stringify({ title: post?.['title'], url }));
    },
  );

  test(
    'an unknown post and a draft show that there is no such post',
    IN_SOAK,
    async ({ page, watch }) => {
      watch.allow(/404 \(Not Found\)/);
      const [draft] = query('SELECT slug FROM posts WHERE published = 0 LIMIT 1');
      // The stored slug of a draft begins with its author's id.
      for (const slug of ['there-is-no-such-post', String(draft?.['slug']).split('/').at(-1)]) {
        await page.goto(`/blog/${slug}`);
        await expect(
          page.getByRole('heading', { level: 1, name: 'Blog post not found' }),
        ).toBeVisible();
      }
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Back to the blog' }).click();
      await expect(page).toHaveURL('/blogs');
    },
  );

  test(
    'the blog offers Retry only when its list failed to load',
    IN_SOAK,
    async ({ page, watch }) => {
      watch.allow(/503|ERR_FAILED/);
      // One route for the whole test: adding and removing routes switches the browser's cache, after
      // which the browser may wait 20 seconds for a file it already has.
      let answer: 'empty' | 'none' | 'real' = 'empty';
      await page.route('**/api/blogs', (route) =>
        answer === 'empty'
          ? route.fulfill({ json: [] })
          : answer === 'none'
            ? route.abort()
            : route.continue(),
      );
      await page.goto('/blogs');
      await expect(page.getByText('No blog posts yet')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
      answer = 'none';
      await page.goto('/blogs');
      await expect(page.getByText('The posts could not be loaded.')).toBeVisible();
      await expect(page.getByText('No blog posts yet')).toBeHidden();
      answer = 'real';
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(
        page.getByRole('listitem').filter({ hasText: 'min read' }).first(),
      ).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    },
  );
});

test.describe('managing the blog', () => {
  // The form asks whether a post has the typed slug.
  test.beforeEach(({ watch }) => watch.allow(/404 \(Not Found\) \(.*\/api\/blog\//));

  test('sends a visitor to the sign-in page', IN_SOAK, async ({ page }) => {
    await page.goto('/admin/blogs');
    await expect(page).toHaveURL('/auth?next=%2Fadmin%2Fblogs');
  });

  test('a member writes a draft by keyboard but cannot publish it', IN_SOAK, async ({ page }) => {
    const { headers } = await signInAs(page, 'user');
    const unique = `Keys ${Date.now()}`;
    await page.goto('/admin/blogs');
    const publish = page.getByLabel('Publish immediately');
    await expect(publish).toBeDisabled();
    await expect(publish).toHaveAccessibleDescription(/Only administrators can publish/);
    await page.getByRole('textbox', { name: 'Title' }).focus();
    await page.keyboard.type(`${unique}: Über & more!`);
    const slug = page.getByRole('textbox', { name: 'Slug' });
    await expect(slug).toHaveValue(`${unique.toLowerCase().replace(' ', '-')}-ber-more`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(unique.toLowerCase().replace(' ', '-'));
    await page.getByRole('textbox', { name: 'Title' }).fill(`${unique} renamed`);
    await expect(slug).toHaveValue(unique.toLowerCase().replace(' ', '-'));
    await slug.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.type('First line.\nSecond line.');
    await page.keyboard.press('ControlOrMeta+Enter');
    const row = page.getByRole('listitem').filter({ hasText: `${unique} renamed` });
    await expect(row).toContainText('Draft');
    await expect(row).toContainText('24 characters');
    expect(
      query('SELECT published, content FROM posts WHERE title = ?', `${unique} renamed`),
    ).toEqual([{ published: 0, content: 'First line.\nSecond line.' }]);
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('');
    await expectAccessible(page);
    const refused = await page.request.post('/api/blogs-admin', {
      headers,
      data: { title: 'x', slug: `x-${Date.now()}`, content: 'x', published: true },
    });
    expect(refused.status()).toBe(403);
  });

  test(
    'a missing field and a taken slug are reported at their fields',
    IN_SOAK,
    async ({ page, watch }) => {
      watch.allow(/409 \(Conflict\)/);
      const { headers } = await signInAs(page, 'user');
      const taken = `taken-${Date.now()}`;
      await page.request.post('/api/blogs-admin', {
        headers,
        data: { title: 'x', slug: taken, content: 'x' },
      });
      await page.goto('/admin/blogs');
      await page.getByRole('button', { name: 'Save draft' }).click();
      await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
      await expect(page.getByText('Enter the content of the post.')).toBeVisible();
      await page.getByRole('textbox', { name: 'Title' }).fill('Taken');
      await page.getByRole('textbox', { name: 'Slug' }).fill(taken);
      await page.getByRole('textbox', { name: 'Content' }).fill('Text');
      await page.getByRole('button', { name: 'Save draft' }).click();
      await expect(page.getByRole('textbox', { name: 'Slug' })).toHaveAccessibleDescription(
        /Another post already has this slug/,
      );
      await expect(page.getByRole('textbox', { name: 'Slug' })).toBeFocused();
      await expect(page.getByRole('textbox', { name: 'Content' })).toHaveValue('Text');
    },
  );

  test('an administrator publishes, edits and deletes a post; markup stays text', async ({
    page,
  }) => {
    await signInAs(page, 'admin');
    const nasty = `<img src=x onerror="document.title='pwned'"><script>document.title='pwned'</script> javascript:alert(1) https://example.com/ok`;
    const title = `<b>Bold</b> ${Date.now()}`;
    await page.goto('/admin/blogs');
    await page.getByRole('textbox', { name: 'Title' }).fill(title);
    await page.getByRole('textbox', { name: 'Content' }).fill(nasty);
    await page.getByRole('tab', { name: 'Preview' }).click();
    await expect(page.getByRole('tabpanel')).toContainText(nasty);
    await page.getByRole('tab', { name: 'Write' }).click();
    await page.getByLabel('Publish immediately').check();
    await page.getByRole('button', { name: 'Publish post' }).click();
    const row = page.getByRole('listitem').filter({ hasText: title });
    await expect(row).toContainText('Published');
    await row.getByRole('link', { name: `View ${title}` }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    const text = page.getByRole('article').getByText(nasty);
    await expect(text.getByRole('link')).toHaveText(['https://example.com/ok']);
    expect(await page.title()).toBe(`${title} · Hop`);

    await page.goBack();
    await row.getByRole('link', { name: `Edit ${title}` }).click();
    await expect(page.getByRole('heading', { name: 'Edit post' })).toBeFocused();
    await page.getByRole('textbox', { name: 'Content' }).fill('Changed text');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(row).toContainText('Changed text');
    await row.getByRole('button', { name: `Unpublish ${title}` }).click();
    await expect(row).toContainText('Draft');
    expect(query('SELECT published FROM posts WHERE title = ?', title)).toEqual([{ published: 0 }]);

    await row.getByRole('button', { name: `Delete ${title}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this post?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(row).toBeVisible();
    await row.getByRole('button', { name: `Delete ${title}` }).click();
    await dialog.getByRole('button', { name: 'Delete post' }).click();
    // An open dialog hides the list behind it.
    await expect(dialog).toBeHidden();
    await expect(row).toHaveCount(0);
    expect(query('SELECT id FROM posts WHERE title = ?', title)).toEqual([]);
  });

  test(
    'unsaved changes need confirmation to leave, and survive the Back button',
    IN_SOAK,
    async ({ page }) => {
      await signInAs(page, 'user');
      await page.goto('/blogs');
      await page.goto('/admin/blogs');
      await page.getByRole('textbox', { name: 'Title' }).fill('Half a thought');
      await page
        .getByRole('navigation', { name: 'Footer' })
        .getByRole('link', { name: 'Pricing' })
        .click();
      const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(page).toHaveURL('/admin/blogs');
      await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Half a thought');

      // The browser asks for confirmation before it leaves the page.
      page.once('dialog', (question) => void question.accept());
      await page.goBack();
      await expect(page).toHaveURL('/blogs');
      await page.goForward();
      await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Half a thought');
      await expect(page.getByText('We restored your unsaved changes.')).toBeVisible();

      await page
        .getByRole('navigation', { name: 'Footer' })
        .getByRole('link', { name: 'Pricing' })
        .click();
      await dialog.getByRole('button', { name: 'Discard changes' }).click();
      await expect(page).toHaveURL('/pricing');
      await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: 'Manage Blogs' })
        .click();
      await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('');
    },
  );
});
