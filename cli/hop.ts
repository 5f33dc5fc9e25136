#!/usr/bin/env node
import { version } from '#package' with { type: 'json' };
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), process.env, version);
