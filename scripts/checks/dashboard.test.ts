import { describe, expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { METRIC_DEFINITIONS } from '#worker/metrics/definitions.ts';

type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };

/**
 * The series that Prometheus makes of our metrics, and their labels
 * (https://prometheus.io/docs/guides/opentelemetry/#utf-8): dots become underscores, the unit and
 * `_total` follow, and units in braces are left out.
 */
const SERIES = new Map(
  Object.entries(METRIC_DEFINITIONS).flatMap(([name, { kind, unit, attributes }]) => {
    const base = name.replaceAll('.', '_') + (unit === 's' ? '_seconds' : '');
    const labels = new Set(attributes.map((attribute) => attribute.replaceAll('.', '_')));
    return kind === 'counter'
      ? [[`${base}_total`, labels] as const]
      : ['_bucket', '_count', '_sum'].map((ending) => [base + ending, labels] as const);
  }),
);
/** Labels that Prometheus adds. */
const COMMON: ReadonlySet<string> = new Set(['job', 'instance', 'le']);

const { panels }: Dashboard = JSON.parse(readText('docs/grafana.json'));
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

describe('docs/grafana.json', () => {
  it.each(expressions)('the series and labels of %s exist', (expr) => {
    const selectors = [...expr.matchAll(/([a-z]\w*)\{([^}]*(?:"[^"]*"[^}]*)*)\}\[/g)];
    expect(selectors.length).toBeGreaterThan(0);
    for (const [, series = '', matchers = ''] of selectors) {
      const known = SERIES.get(series) ?? new Set();
      expect([series, SERIES.has(series)]).toEqual([series, true]);
      const grouped = [...expr.matchAll(/sum by \(([^)]*)\)/g)].flatMap(([, names = '']) =>
        names.split(', '),
      );
      const used = [...matchers.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = '']) => label);
      const unknown = [...used, ...grouped].filter(
        (label) => !COMMON.has(label) && !known.has(label),
      );
      expect(unknown).toEqual([]);
    }
  });

  it('every metric is on the dashboard', () => {
    const shown = expressions.join(' ');
    const missing = Object.keys(METRIC_DEFINITIONS).filter(
      (name) => !shown.includes(name.replaceAll('.', '_')),
    );
    expect(missing).toEqual([]);
  });

  it('docs/operations.md describes every metric with its attributes', () => {
    const page = readText('docs/operations.md');
    for (const [name, { attributes }] of Object.entries(METRIC_DEFINITIONS)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
      expect([name, attributes.filter((attribute) => !row.includes(`\`${attribute}\``))]).toEqual([
        name,
        [],
      ]);
      expect(row).not.toBe('');
    }
  });
});
