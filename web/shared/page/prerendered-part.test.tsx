import { act } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { describe, expect, it } from 'vitest';
import { PrerenderedPart } from './prerendered-part.tsx';

function root(html: string): HTMLElement {
  const element = document.createElement('div');
  element.innerHTML = html;
  document.body.replaceChildren(element);
  return element;
}

const part = (id: string, children: ReactNode) => (
  <PrerenderedPart id={id} className="x">
    {children}
  </PrerenderedPart>
);
/** This component must not be rendered. */
const Code = () => {
  throw new Error('The code of the part was used.');
};

describe('a part of a prerendered page', () => {
  it('a prerendered part stays as built, also when the page is shown again', async () => {
    const page = root('<div id="built" class="x"><b>from the build</b></div>');
    const written = page.querySelector('b');
    const hydrated = await act(async () => hydrateRoot(page, part('built', <Code />)));
    expect(page.querySelector('b')).toBe(written);

    act(() => hydrated.unmount());
    const later = root('');
    act(() => createRoot(later).render(part('built', <Code />)));
    expect(later.textContent).toBe('from the build');
  });

  it('the part is rendered on a page that was not prerendered', () => {
    const page = root('');
    act(() => createRoot(page).render(part('unknown', 'from code')));
    expect(page.textContent).toBe('from code');
  });
});
