import { vi } from 'vitest';

/**
 * Test files share a process, because each would load wrangler and other large packages again. Each
 * file gets a new copy of our modules, and no replaced value of an earlier one.
 */
vi.resetModules();
vi.unstubAllEnvs();
vi.unstubAllGlobals();
vi.restoreAllMocks();
process.exitCode = undefined;
