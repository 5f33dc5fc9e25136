import { expect, type Locator, type Page } from '@playwright/test';

/** Opens the panel New link on the dashboard of a member without links. Its first field has the focus. */
export async function openNewLink(page: Page): Promise<Locator> {
  await page.goto('/dashboard');
  // Keys work once the application has replaced the page that the server sent.
  await expect(page.getByText('Paste a link', { exact: true })).toBeVisible();
  await page.keyboard.press('c');
  const panel = page.getByRole('dialog', { name: 'New link' });
  await expect(panel.getByLabel('Destination', { exact: true })).toBeFocused();
  return panel;
}

/** What has the focus, and whether that shows. */
function readFocus(): { label: string; visible: boolean } | null {
  const element = document.querySelector(':focus');
  if (element === null) return null;
  const hasOutline = (of: Element): boolean => {
    const { outlineStyle, outlineWidth } = getComputedStyle(of);
    return outlineStyle !== 'none' && outlineWidth !== '0px';
  };
  const label =
    element.getAttribute('aria-label') ??
    (element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
      ? (element.labels?.[0]?.textContent ?? '')
      : element.textContent);
  return {
    label: label.trim(),
    visible:
      hasOutline(element) ||
      // A field with other parts inside shows the focus around all of them.
      (element.parentElement !== null && hasOutline(element.parentElement)) ||
      getComputedStyle(element).boxShadow !== 'none',
  };
}

/**
 * Presses Tab until the focus is on the element that `name` matches. Fails after 60 presses, or if
 * the focus is invisible.
 */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const seen = await page.evaluate(readFocus);
    if (seen === null) continue;
    expect(seen.visible, `the focus on "${seen.label}" shows`).toBe(true);
    if (name.test(seen.label)) return;
  }
  throw new Error(`Tab never reached ${String(name)}.`);
}

export async function pressByTab(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

/** Opens a group of options by Tab, and waits for the code of its fields. */
export async function openByTab(
  page: Page,
  panel: Locator,
  title: string,
  field: string,
): Promise<void> {
  await pressByTab(page, new RegExp(`^${title}`));
  await expect(panel.getByText(field, { exact: true })).toBeVisible();
}
