import { configure } from '@testing-library/react';
import * as React from 'react';
import { beforeAll, vi } from 'vitest';
import { shortenComputedStyle } from './computed-style.ts';

/**
 * Test files share an environment. Each file gets a new copy of our modules, an empty page and
 * empty storage.
 */
vi.resetModules();
shortenComputedStyle();

beforeAll(() => {
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

// React would record where each element is made, which takes a tenth of the time of these tests.
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { get: () => Infinity, set: () => {}, configurable: true },
);

// Queries return as soon as they match. The long limit is for busy machines.
configure({ asyncUtilTimeout: 60_000 });
