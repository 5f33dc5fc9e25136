import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { blockEnd, blockStart } from '#contract/pages/page-templates.ts';
import { Block, markBlocks, When } from './block.tsx';
import { config } from './config.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  config.billing = 'none';
});

const Page = () => (
  <p>
    Paid
    <When setting="demo" otherwise=" with a card">
      , as a <b>demo</b>
    </When>
    .
  </p>
);

function build(page: React.ReactNode): string {
  vi.stubEnv('SSR', true);
  const html = markBlocks(renderToString(page));
  vi.stubEnv('SSR', false);
  return html;
}

/** Drops a block as the Worker does (worker/site/fill-template.ts). */
const drop = (html: string, name: 'demo' | 'not-demo'): string =>
  `${html.split(blockStart(name))[0]}${html.split(blockEnd(name))[1]}`;

describe('a part of a page that depends on a setting', () => {
  it('the built HTML has the part for both values of the setting', () => {
    expect(build(<Page />).replaceAll('<!-- -->', '')).toBe(
      '<p>Paid<!--hop:demo-->, as a <b>demo</b><!--/hop:demo-->' +
        '<!--hop:not-demo--> with a card<!--/hop:not-demo-->.</p>',
    );
  });

  it.each([
    ['demo', 'not-demo', 'Paid, as a demo.'],
    ['none', 'demo', 'Paid with a card.'],
  ] as const)(
    'the browser takes over the HTML that the Worker serves (billing: %s)',
    async (billing, off, text) => {
      const root = document.createElement('div');
      root.innerHTML = drop(build(<Page />), off);
      expect(root.textContent).toBe(text);
      const served = root.querySelector('p');
      config.billing = billing;
      const onRecoverableError = vi.fn();
      await act(async () => hydrateRoot(root, <Page />, { onRecoverableError }));
      expect(onRecoverableError).not.toHaveBeenCalled();
      expect(root.querySelector('p')).toBe(served);
      expect(root.textContent).toBe(text);
    },
  );
});

describe('a block', () => {
  it('a block renders only its children in the browser', () => {
    expect(renderToString(<Block name="post">text</Block>)).toBe('text');
  });
});
