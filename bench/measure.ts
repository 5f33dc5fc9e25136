import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Linux counts CPU time in units of 10 ms. */
const TICK_US = 10_000;

/** The CPU time that a process has used, in µs. */
export function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Times in µs. `bad`: failed connections and error statuses. */
export type Load = { requests: number; us: number; p50: number; p99: number; bad: number };

/** Loads `origin` as fast as it responds, over 32 connections, with random codes of `codesFile`. */
export async function saturate(
  origin: string,
  codesFile: string,
  seconds: number,
  seed: number,
): Promise<Load> {
  const script = join(import.meta.dirname, 'load.lua');
  const args = [
    '-t1',
    '-c32',
    `-d${seconds}s`,
    '--timeout',
    '10s',
    '-s',
    script,
    origin,
    '--',
    codesFile,
    '/',
    String(seed),
    '4',
  ];
  const { stdout } = await run('wrk', args).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new Error('The benchmark needs wrk: `apt-get install wrk`.')
      : error;
  });
  const line = stdout.split('\n').find((text) => text.startsWith('JSON '));
  if (line === undefined) throw new Error(`wrk printed: ${stdout}`);
  const printed: Record<
    'requests' | 'us' | 'p50' | 'p99' | 'connect' | 'read' | 'write' | 'status' | 'timeout',
    number
  > = JSON.parse(line.slice(5));
  return {
    requests: printed.requests,
    us: printed.us,
    p50: printed.p50,
    p99: printed.p99,
    bad: printed.connect + printed.read + printed.write + printed.status + printed.timeout,
  };
}

const HEAD = [
  'User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Accept: text/html',
  'Referer: https://www.google.com/',
  'CF-Connecting-IP: 203.0.113.9',
  'MF-CF-Blob: {"country":"DE","region":"Hesse","city":"Frankfurt am Main"}',
].join('\r\n');

/**
 * Sends `rate` requests per second, evenly spaced, and returns their latencies to the last byte, in
 * µs.
 */
export async function atRate(
  port: number,
  codes: readonly string[],
  rate: number,
  seconds: number,
): Promise<{ p50: number; p99: number }> {
  const latencies: number[] = [];
  const idle: Line[] = [];
  const lines = await Promise.all(
    Array.from({ length: 32 }, () => openLine(port, idle, latencies)),
  );
  idle.push(...lines);
  const start = performance.now();
  for (let sent = 0; sent < rate * seconds;) {
    const due = Math.floor(((performance.now() - start) / 1000) * rate);
    while (sent < Math.min(due, rate * seconds)) {
      const line = idle.pop();
      if (line === undefined) break;
      line.sentAt = performance.now();
      line.socket.write(
        `GET /${codes[(sent * 7919) % codes.length] ?? ''} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${HEAD}\r\n\r\n`,
      );
      sent++;
    }
    await sleep(1);
  }
  await sleep(300);
  for (const { socket } of lines) socket.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(
      (latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))] ?? 0) * 1000,
    );
  return { p50: at(0.5), p99: at(0.99) };
}

type Line = { socket: Socket; sentAt: number };

function openLine(port: number, idle: Line[], latencies: number[]): Promise<Line> {
  return new Promise((done, fail) => {
    const line: Line = { socket: connect({ host: '127.0.0.1', port, noDelay: true }), sentAt: 0 };
    let text = '';
    line.socket.setEncoding('latin1');
    line.socket.once('connect', () => done(line));
    line.socket.on('error', fail);
    line.socket.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/\r\ncontent-length:\s*(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
      if (text.length - end - 4 < length) return;
      latencies.push(performance.now() - line.sentAt);
      text = '';
      idle.push(line);
    });
  });
}

/** The smallest of `numbers` that `share` of them do not exceed: 0.5 is the median. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
