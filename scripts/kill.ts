/**
 * `npm run test:kill [-- ROUNDS]`: kills the local server under load and checks what it had
 * acknowledged. 20 rounds by default.
 */
import { killUnderLoad } from './kill-under-load.ts';

const rounds = Number(process.argv[2] ?? 20);
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error('Usage: npm run test:kill [-- ROUNDS]');
const { faults, ...figures } = await killUnderLoad(rounds);
console.log(figures);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
