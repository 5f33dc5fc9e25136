import { expect } from './test.ts';

/**
 * Does a task in at most `max` actions, and prints their number. An action is a click, a key, or a
 * field that is filled in and ended by Enter.
 */
export async function inActions(
  max: number,
  task: string,
  ...actions: (() => Promise<unknown>)[]
): Promise<void> {
  for (const action of actions) await action();
  console.log(`${task}: ${actions.length} of at most ${max} actions`);
  expect(actions.length, task).toBeLessThanOrEqual(max);
}
