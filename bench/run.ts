/**
 * `npm run bench`: measures everything that Hop claims about speed and cost, and writes it to
 * bench/RESULTS.md with the date, the machine and the command. Arguments are passed to the redirect
 * part: `npm run bench -- --rounds 5 --seconds 10`. `npm run bench -- cpu` measures CPU times only,
 * and replaces their section.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { VARIABLES } from '#scripts/configuration.ts';
import { PRICES_READ_ON } from '#scripts/prices.ts';
import { costTable } from './costs.ts';
import { windowTable } from './windows.ts';

const args = process.argv.slice(2);
/** CLICK_WINDOW_MS as it is deployed. */
const WINDOW_MS = Number(
  VARIABLES.flatMap((one) =>
    one.name === 'CLICK_WINDOW_MS' && 'value' in one ? [one.value] : [],
  )[0],
);
/**
 * Rows of D1 written per click, new visitors included: measured with 20,000 clicks of 1,000 links
 * in 100 windows.
 */
const ROWS_PER_CLICK = 0.15;

function output(file: string, rest: string[]): Promise<string> {
  return new Promise((done, fail) => {
    // The output becomes the report, so wrangler must not add lines.
    const env = { ...process.env, WRANGLER_LOG: 'error' };
    const child = spawn(process.execPath, [join(import.meta.dirname, file), ...rest], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0 ? done(text.trim()) : fail(new Error(`${file} ended with ${code}`)),
    );
  });
}

const RESULTS = join(import.meta.dirname, 'RESULTS.md');
const CPU_TITLE = '## CPU time on the free plan';

async function cpuSection(rest: string[]): Promise<string> {
  return `${CPU_TITLE}

Command: \`npm run bench -- cpu\`, ${new Date().toISOString().slice(0, 10)}. [README.md](README.md) says what the figures include.

${await output('cpu.ts', rest)}

A day of cron:

${await output('cpu-cron.ts', [])}
`;
}

if (args[0] === 'cpu') {
  const section = await cpuSection(args.slice(1));
  const text = readFileSync(RESULTS, 'utf8');
  const start = text.indexOf(CPU_TITLE);
  const next = text.indexOf('\n## ', start + 1);
  const [before, after] =
    start === -1 ? [`${text}\n`, ''] : [text.slice(0, start), next === -1 ? '' : text.slice(next)];
  writeFileSync(RESULTS, before + section + after);
  console.log(section);
  process.exit();
}

const redirects = await output('redirect.ts', args);
const ingestion = await output('ingest.ts', []);
const lists = await output('lists.ts', []);
const flood = await output('sign-in-flood.ts', []);
const simulation = await output('simulate.ts', []);
const { version }: { version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../node_modules/workerd/package.json'), 'utf8'),
);
const report = `# Results

${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), workerd ${version}, Node ${process.version}.
Command: \`npm run bench${args.length === 0 ? '' : ` -- ${args.join(' ')}`}\`. [README.md](README.md) explains what each part measures.

## Redirects

${redirects}

## Ingestion and reports

\`\`\`
${ingestion}
\`\`\`

## Lists of links

${lists}

## Redirects during a flood of sign-ins

${flood}

## Cost per million redirects

List prices beyond what a paid plan includes, for clicks spread evenly over time in one isolate, and ${ROWS_PER_CLICK} rows written
per click, which includes new visitors. A click that is alone on its link and day writes 2.1 rows over its whole life.

${costTable(WINDOW_MS, ROWS_PER_CLICK)}

## Length of a click window

Messages per click, list price of the queue per million clicks, and clicks lost of a million if every isolate dies without warning
once an hour.

${windowTable()}

## Simulation of 13 months

Command: \`npm run simulate\`. List prices of ${PRICES_READ_ON}, as if nothing were included in the plan.

${simulation}

${await cpuSection([])}`;
console.log(report);
writeFileSync(RESULTS, report);
