import { createInterface } from 'node:readline/promises';
import { UsageError } from './command.ts';

/** Asks at the terminal. If nobody can answer, throws UsageError with the advice `otherwise`. */
export async function confirm(question: string, otherwise: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError(otherwise);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', () => process.exit(130));
  const answer = await lines.question(question);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
