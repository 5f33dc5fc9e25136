import { expect, type Page } from '@playwright/test';

/**
 * Presses Tab until the focus is on the element that `name` matches. Fails after 60 presses, or if
 * the focus is invisible.
 */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) === 0) continue;
    const seen = await focused.evaluate((element) => {
      const hasOutline = ({ outlineStyle, outlineWidth }: CSSStyleDeclaration): boolean =>
        outlineStyle !== 'none' && outlineWidth !== '0px';
      const style = getComputedStyle(element);
      const label =
        element.getAttribute('aria-label') ??
        (element instanceof HTMLInputElement ||
        element instanceof HTMLSelectElement ||
        element instanceof HTMLTextAreaElement
          ? (element.labels?.[0]?.textContent ?? '')
          : element.textContent);
      return {
        label: (label ?? '').trim(),
        visible:
          hasOutline(style) ||
          // A field with other parts inside shows the focus around all of them.
          (element.parentElement !== null && hasOutline(getComputedStyle(element.parentElement))) ||
          style.boxShadow !== 'none',
      };
    });
    expect(seen.visible, `the focus on "${seen.label}" shows`).toBe(true);
    if (name.test(seen.label)) return;
  }
  throw new Error(`Tab never reached ${String(name)}.`);
}
