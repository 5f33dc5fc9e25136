import { act } from '@testing-library/react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { describe, expect, it } from 'vitest';
import { PrerenderedPart } from './prerendered-part.tsx';

function root(html: string): HTMLElement {
  const element = document.createElement('div');
  element.innerHTML = html;
  document.body.replaceChildren(element);
  return element;
}

let rendered = 0;
function Child() {
  rendered += 1;
  return <b>from code</b>;
}
const part = (id: string) => (
  <PrerenderedPart id={id} className="x">
    <Child />
  </PrerenderedPart>
);

describe('a part of a prerendered page', () => {
  it('stays as the build wrote it, also when the page is shown again', async () => {
    rendered = 0;
    const page = root('<div id="built" class="x"><b>from the build</b></div>');
    const written = page.querySelector('b');
    const hydrated = await act(() => hydrateRoot(page, part('built')));
    expect(page.querySelector('b')).toBe(written);

    await act(() => hydrated.unmount());
    const later = root('');
    await act(() => createRoot(later).render(part('built')));
    expect(later.textContent).toBe('from the build');
    expect(rendered).toBe(0);
  });

  it('is rendered on a page that was not prerendered', async () => {
    const page = root('');
    await act(() => createRoot(page).render(part('unknown')));
    expect(page.textContent).toBe('from code');
  });
});
