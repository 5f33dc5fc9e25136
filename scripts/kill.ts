import { readArguments } from './arguments.ts';
import { killUnderLoad } from './kill-under-load.ts';

const { positionals } = readArguments({
  usage: 'npm test -- kill [ROUNDS]',
  about: 'Kills the local server under load, 20 times, and checks what it had acknowledged.',
  options: {},
});
const rounds = Number(positionals[0] ?? 20);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('ROUNDS is a number above 0.');
const { faults, ...figures } = await killUnderLoad(rounds);
console.log(figures);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
