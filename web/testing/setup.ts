import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterAll, beforeAll, vi } from 'vitest';
import { shortenComputedStyle } from './computed-style.ts';
import { watchLeftovers } from './leftovers.ts';

/**
 * Test files share an environment. Each file gets a new copy of our modules, an empty page at `/`
 * and empty storage, and nothing of an earlier file runs any more.
 */
vi.resetModules();
shortenComputedStyle();
const endLeftovers = watchLeftovers();

beforeAll(() => {
  history.replaceState(null, '', '/');
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

afterAll(async () => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await vi.dynamicImportSettled();
  endLeftovers();
});

// React would record where each element is made, which takes a tenth of the time of these tests.
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { get: () => Infinity, set: () => {}, configurable: true },
);

// Queries return as soon as they match. The long limit is for busy machines.
configure({ asyncUtilTimeout: 60_000 });
