import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { Tabs } from './tabs.tsx';

afterEach(cleanup);

function Three() {
  const [value, setValue] = useState('one');
  const tabs = ['one', 'two', 'three'].map((name) => ({ value: name, label: name }));
  return (
    <Tabs tabs={tabs} value={value} onChange={setValue} label="Numbers">
      {value}
    </Tabs>
  );
}

describe('Tabs', () => {
  for (const [direction, next] of [
    ['ltr', 'ArrowRight'],
    ['rtl', 'ArrowLeft'],
  ] as const)
    it(`goes to the next tab by ${next} in ${direction}`, async () => {
      render(
        <div style={{ direction }}>
          <Three />
        </div>,
      );
      act(() => screen.getByRole('tab', { name: 'one' }).focus());
      fireEvent.keyDown(screen.getByRole('tab', { name: 'one' }), { key: next });
      expect((await screen.findByRole('tab', { name: 'two', selected: true })).tabIndex).toBe(0);
    });
});
