import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Environment } from './environment.ts';
import type { Account } from './platform.ts';
import { bucketHeaders } from './resources.ts';
import type { Resource } from './worker-config.ts';

/** The history in the bucket of the copies, so that every machine has it. */
const KEY = 'deploy/history.ndjson';

/** A restore point before a release, or a release. */
export type HistoryEntry =
  | { at: string; bookmark: string; deploys: string }
  | { at: string; released: string; percent: number };

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Each line begins with its time. */
const timeOf = (line: string): string => line.slice(0, '{"at":"2026-11-25T10:00:00.000Z"'.length);

/** Returns the lines of the bucket's history and of this machine's, by time, each once. */
export async function readHistoryLines(
  account: Account,
  resources: readonly Resource[],
  { historyFile }: Environment,
): Promise<string[]> {
  const bucket = resources.find(({ kind }) => kind === 'r2');
  const stored = bucket && (await account.readText(pathOf(bucket), bucketHeaders(bucket)));
  const local = existsSync(historyFile) ? readFileSync(historyFile, 'utf8') : '';
  const lines = [...new Set([...linesOf(stored ?? ''), ...linesOf(local)])];
  // The sort is stable, so entries of one time keep their order.
  return lines.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)));
}

/**
 * Adds an entry to the history, on this machine and in the bucket. Returns false if the bucket
 * does not have it: a deployment does not depend on that.
 */
export async function addToHistory(
  account: Account,
  resources: readonly Resource[],
  environment: Environment,
  entry: HistoryEntry,
): Promise<boolean> {
  const { historyFile } = environment;
  const bucket = resources.find(({ kind }) => kind === 'r2');
  const local = existsSync(historyFile) ? linesOf(readFileSync(historyFile, 'utf8')) : [];
  const write = (lines: readonly string[]): string => {
    const text = lines.map((line) => `${line}\n`).join('');
    mkdirSync(dirname(historyFile), { recursive: true });
    writeFileSync(historyFile, text);
    return text;
  };
  write([...local, JSON.stringify(entry)]);
  try {
    const text = write(await readHistoryLines(account, resources, environment));
    if (bucket) await account.writeText(pathOf(bucket), text, bucketHeaders(bucket));
    return true;
  } catch {
    return false;
  }
}

const pathOf = ({ name }: Resource): string => `/r2/buckets/${name}/objects/${KEY}`;
