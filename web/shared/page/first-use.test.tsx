import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { awaitFirstUse, repeatPress, untilUsed } from './first-use.ts';

afterEach(cleanup);

describe('untilUsed', () => {
  it.each(['pointerdown', 'keydown', 'focusin', 'scroll'])('ends with %s', async (event) => {
    awaitFirstUse();
    const used = vi.fn();
    void untilUsed().then(used);
    await Promise.resolve();
    expect(used).not.toHaveBeenCalled();
    window.dispatchEvent(new Event(event));
    await waitFor(() => expect(used).toHaveBeenCalledOnce());
  });
});

describe('repeatPress', () => {
  it('presses the last pressed button of the part once more, and no other one', () => {
    const onPress = vi.fn();
    const { container, getByText } = render(
      <>
        <button type="button">Elsewhere</button>
        <div>
          <button type="button" onClick={onPress}>
            <b>Here</b>
          </button>
        </div>
      </>,
    );
    const part = container.querySelector('div');
    awaitFirstUse();
    getByText('Here').click();
    getByText('Elsewhere').click();
    repeatPress(part);
    expect(onPress).toHaveBeenCalledTimes(1);
    awaitFirstUse();
    getByText('Here').click();
    repeatPress(part);
    repeatPress(part);
    expect(onPress).toHaveBeenCalledTimes(3);
  });
});
