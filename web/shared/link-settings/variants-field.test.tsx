import { cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { VARIANTS_MAX } from '#contract/limits.ts';
import type { LinkVariant } from '#contract/links/link-variants.ts';
import { describeSetting } from './describe-setting.ts';
import { describeResult } from './test-link.tsx';
import { useAnnouncement } from '#web/ui/announcer.ts';
import { VariantsField } from './variants-field.tsx';

afterEach(cleanup);

const B: LinkVariant = { url: 'https://b.example/', weight: 30 };
const C: LinkVariant = { url: 'https://c.example/', weight: 20 };

function show(first: LinkVariant[], errorAt?: (path: string) => string | undefined) {
  const state = { variants: first };
  function Form() {
    const [variants, setVariants] = useState(first);
    const set = (changed: LinkVariant[]): void => {
      state.variants = changed;
      setVariants(changed);
    };
    return (
      <VariantsField variants={variants} error="An error" errorAt={errorAt} onVariants={set} />
    );
  }
  render(<Form />);
  return state;
}
const press = (name: string): void => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const type = (label: string, value: string): void => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};

const announced = () => renderHook(useAnnouncement).result.current;

describe('VariantsField', () => {
  it('adds variants with half of what is left, and focuses each', () => {
    const state = show([]);
    for (let at = 1; at <= VARIANTS_MAX; at++) {
      press('Add variant');
      expect(document.activeElement).toBe(screen.getByLabelText(`Destination of variant ${at}`));
    }
    expect(state.variants.map(({ weight }) => weight)).toEqual([50, 25, 12, 6]);
    expect(announced()).toBe('Variant 4 added.');
    expect(screen.getAllByText('Share in %')).toHaveLength(4);
    expect(screen.queryByRole('button', { name: 'Add variant' })).toBeNull();
    press('Remove variant 4');
    expect(document.activeElement?.textContent).toBe('Add variant');
    cleanup();
    const full = show([{ ...B, weight: 99 }]);
    press('Add variant');
    expect(full.variants[1]?.weight).toBe(1);
    type('Share of variant 2 in percent', '');
    expect(screen.getByLabelText('Share of variant 2 in percent')).toHaveProperty('value', '');
  });

  it('changes and removes a variant, and says what the destination gets', () => {
    const state = show([B, C]);
    expect(screen.getByRole('status').textContent).toBe(
      'The destination above gets the other 50%.',
    );
    type('Share of variant 2 in percent', '45');
    type('Destination of variant 2', 'https://d.example/');
    expect(state.variants).toEqual([B, { url: 'https://d.example/', weight: 45 }]);
    expect(screen.getByRole('status').textContent).toContain('25%');
    type('Share of variant 1 in percent', '7x5');
    expect(screen.getByRole('status').textContent).toBe(
      'The shares add up to 120%. They can add up to at most 99%, because the link’s own destination needs the rest.',
    );
    // The link’s own destination keeps at least 1 %.
    type('Share of variant 1 in percent', '55');
    expect(screen.getByRole('status').textContent).toMatch(/^The shares add up to 100%/);
    press('Remove variant 1');
    expect(state.variants).toEqual([{ url: 'https://d.example/', weight: 45 }]);
    expect(document.activeElement?.textContent).toBe('Add variant');
    expect(announced()).toBe('Variant 1 removed.');
  });

  it('shows an error at the part that causes it, and otherwise below', () => {
    show([B, C], (path) =>
      'variants.1.url'.startsWith(path)
        ? 'This address only works on a private network.'
        : undefined,
    );
    const field = screen.getByLabelText('Destination of variant 2');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(screen.queryByText('An error')).toBeNull();
    cleanup();
    show([B]);
    expect(screen.getByText('An error')).toBeTruthy();
  });
});

describe('variants in words', () => {
  it('the test of a link and the history name shares and destinations', () => {
    const shares = [{ url: 'https://a.example/', weight: 70 }, B];
    expect(describeResult({ kind: 'shares', shares, status: 302 })).toBe(
      'The link divides its visitors: 70% to https://a.example/, 30% to https://b.example/ (302).',
    );
    expect(describeSetting('variants', { variants: [B, C] })).toBe(
      '30% to https://b.example/\n20% to https://c.example/',
    );
    expect(describeSetting('variants', { variants: [] })).toBe('none');
  });
});
