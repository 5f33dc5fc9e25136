import { PAGE_META } from '#contract/pages/page-meta.ts';
import { SITE_NAME } from '#contract/site.ts';
import { guides, toolGuides, type Guide } from '#web/features/api-docs/guides.ts';
import { PLACEHOLDER } from '#web/features/api-docs/samples.ts';
import { makeReference } from './api-reference.ts';

/** Writes the guides and the list of operations for programs that read text (https://llmstxt.org). */
export function llmsText(origin: string): string {
  const caller = { origin, key: PLACEHOLDER };
  const { groups, events } = makeReference();
  const page = `${origin}/docs/api`;
  return [
    `# ${SITE_NAME} API`,
    `> ${PAGE_META['/docs/api'].description}`,
    `The [OpenAPI document](${origin}/api/v1/openapi.json) describes every parameter, member and error. [All errors](${origin}/api/v1/errors) are explained on one page.`,
    ...[...guides(caller), ...toolGuides(caller)].flatMap(writeGuide),
    ...groups
      .filter(({ operations }) => operations.length > 0)
      .flatMap(({ name, operations }) => [
        `## ${name}`,
        operations
          .map(
            ({ id, method, path, summary, text }) =>
              `- [${method} ${path}](${page}#${id}): ${summary}. ${text}`,
          )
          .join('\n'),
      ]),
    '## Events',
    events.map(({ type, text }) => `- [${type}](${page}#event-${type}): ${text}`).join('\n'),
  ]
    .join('\n\n')
    .replaceAll(/\]\((\/[^)]*)\)/g, `](${origin}$1)`)
    .replaceAll(/\]\((#[^)]*)\)/g, `](${page}$1)`)
    .concat('\n');
}

function writeGuide({ title, text, sample, answer }: Guide): string[] {
  const blocks = text.map((block) =>
    typeof block === 'string' ? block : block.map((item) => `- ${item}`).join('\n'),
  );
  const code = typeof sample === 'string' ? [['', sample] as const] : Object.entries(sample ?? {});
  return [
    `## ${title}`,
    ...blocks,
    ...code.map(([language, program]) => `\`\`\`${language}\n${program}\n\`\`\``),
    ...(answer === undefined ? [] : [`\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\``]),
  ];
}
