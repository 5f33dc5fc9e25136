import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { showPage } from '#web/testing/render-page.tsx';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { TagField } from './tag-field.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(first: string[] = []) {
  const onChange = vi.fn<(names: string[]) => void>();
  const calls = serveRoutes({ 'GET /api/tags': { tags: [{ id: 1, name: 'One', color: 'blue' }] } });
  function Form() {
    const [names, setNames] = useState(first);
    onChange.mockImplementation(setNames);
    return <TagField label="Tags" names={names} error={undefined} onChange={onChange} />;
  }
  showPage(<Form />);
  return { names: () => onChange.mock.lastCall?.[0], calls };
}
const field = () => screen.getByLabelText<HTMLInputElement>('Tags');
const type = (value: string): void => void fireEvent.change(field(), { target: { value } });
const options = () => [...document.querySelectorAll('option')].map(({ value }) => value);

describe('TagField', () => {
  it('adds a tag after Enter, a comma, and when the field is left, each once', () => {
    const { names } = show();
    type(' two  words ');
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    act(() => void field().dispatchEvent(enter));
    // Enter would submit the form of the link.
    expect(enter.defaultPrevented).toBe(true);
    type('one,');
    type('ONE');
    fireEvent.blur(field());
    type('three');
    fireEvent.blur(field());
    expect(names()).toEqual(['two words', 'one', 'three']);
    expect(field().value).toBe('');
    fireEvent.click(screen.getByLabelText('Remove the tag one'));
    expect(names()).toEqual(['two words', 'three']);
    // A dialog asks before it discards them.
    expect(document.querySelector<HTMLInputElement>('[type=hidden]')?.value).toBe(
      'two words,three',
    );
    expect(fireEvent.keyDown(field(), { key: 'Enter' })).toBe(true);
  });

  it('commas separate the tags of a pasted list', () => {
    const { names } = show();
    type('autumn, spring sale,, 2026');
    expect(names()).toEqual(['autumn', 'spring sale']);
    expect(field().value).toBe('2026');
    fireEvent.blur(field());
    expect(names()).toEqual(['autumn', 'spring sale', '2026']);
  });

  it('keeps a name that is too long, and says so', () => {
    const { names } = show();
    const long = 'x'.repeat(41);
    type(long.slice(1));
    expect(screen.queryByRole('alert')).toBeNull();
    type(`short, ${long.slice(1)}, ${long},`);
    expect(names()).toEqual(['short', long.slice(1)]);
    expect(field().value).toBe(long);
    expect(screen.getByRole('alert').textContent).toBe(
      'The name of a tag can have at most 40 characters.',
    );
  });

  it('suggests the tags that the link does not have', async () => {
    const { names, calls } = show();
    expect(calls).toEqual([]);
    fireEvent.focus(field());
    await waitFor(() => expect(options()).toEqual(['One']));
    fireEvent.focus(field());
    // Browsers report a chosen suggestion as a replacement of the text.
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
        field(),
        'One',
      );
      field().dispatchEvent(
        new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }),
      );
    });
    expect(names()).toEqual(['One']);
    expect(options()).toEqual([]);
    await act(async () => undefined);
    expect(calls).toHaveLength(1);
  });

  it.each([
    [9, false],
    [10, true],
  ])('a link with %i tags takes no more: %s', (count, isFull) => {
    show(Array.from({ length: count }, (_, at) => `t${at}`));
    expect(field().disabled).toBe(isFull);
    expect(screen.queryByText('A link can have at most 10 tags.') !== null).toBe(isFull);
  });

  it('keeps the names of a list that has too many', () => {
    const { names } = show(Array.from({ length: 9 }, (_, at) => `t${at}`));
    type('ten, eleven, twelve');
    fireEvent.blur(field());
    expect(names()).toHaveLength(10);
    expect(field().value).toBe('eleven, twelve');
    expect(screen.getByRole('alert').textContent).toBe('A link can have at most 10 tags.');
  });
});
