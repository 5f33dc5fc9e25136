import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { TextField } from './text-field.tsx';

afterEach(cleanup);

/** Returns the texts that describe the field to a screen reader. */
function descriptions(): (string | undefined)[] {
  const ids = screen.getByLabelText('Name').getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.querySelector(`#${CSS.escape(id)}`)?.textContent);
}

describe('Field', () => {
  it('describes its control with the hint', () => {
    render(<TextField label="Name" hint="Only you see it." onText={() => undefined} />);
    expect(descriptions()).toEqual(['Only you see it.']);
    expect(screen.getByLabelText('Name').hasAttribute('aria-invalid')).toBe(false);
  });

  it('describes its control with the error before the hint', () => {
    render(
      <TextField label="Name" hint="Only you see it." error="Too long." onText={() => undefined} />,
    );
    expect(descriptions()).toEqual(['Too long.', 'Only you see it.']);
    expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  });

  it('describes a control without hint and error with nothing', () => {
    render(<TextField label="Name" error="" onText={() => undefined} />);
    expect(screen.getByLabelText('Name').hasAttribute('aria-describedby')).toBe(false);
  });
});
