import { describe, expect, it } from 'vitest';
import { encodeOtlp } from './encode-otlp.ts';

const RESOURCE = { 'service.name': 'hop', 'service.instance.id': 'a1' };
const TIMES = { startTimeUnixNano: '1795600000000000000', timeUnixNano: '1795600015000000000' };

describe('encodeOtlp', () => {
  it('writes an ExportMetricsServiceRequest as the specification has it', () => {
    const buckets = [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    const request = encodeOtlp(
      {
        startedAt: 1_795_600_000_000,
        endedAt: 1_795_600_015_000,
        series: [
          {
            name: 'http.server.request.duration',
            values: ['/{code}', '302'],
            count: 3,
            sum: 70,
            buckets,
          },
          { name: 'hop.mails', values: ['failed'], count: 2, sum: 2, buckets: [] },
          { name: 'hop.d1.busy', values: ['DB'], count: 9, sum: 1_250.5, buckets: [] },
          { name: 'hop.clicks.lost', values: [], count: 1, sum: 400, buckets: [] },
        ],
      },
      RESOURCE,
    );
    // Written by hand after https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding and
    // opentelemetry/proto/metrics/v1/metrics.proto.
    expect(JSON.parse(JSON.stringify(request))).toEqual({
      resourceMetrics: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'hop' } },
              { key: 'service.instance.id', value: { stringValue: 'a1' } },
            ],
          },
          scopeMetrics: [
            {
              scope: { name: 'hop' },
              metrics: [
                {
                  name: 'http.server.request.duration',
                  unit: 's',
                  histogram: {
                    aggregationTemporality: 1,
                    dataPoints: [
                      {
                        attributes: [
                          { key: 'http.route', value: { stringValue: '/{code}' } },
                          { key: 'http.response.status_code', value: { intValue: '302' } },
                        ],
                        ...TIMES,
                        count: '3',
                        sum: 0.07,
                        bucketCounts: buckets.map(String),
                        explicitBounds: [
                          0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
                        ],
                      },
                    ],
                  },
                },
                {
                  name: 'hop.mails',
                  unit: '{mail}',
                  sum: {
                    aggregationTemporality: 1,
                    isMonotonic: true,
                    dataPoints: [
                      {
                        attributes: [{ key: 'outcome', value: { stringValue: 'failed' } }],
                        ...TIMES,
                        asInt: '2',
                      },
                    ],
                  },
                },
                {
                  name: 'hop.d1.busy',
                  unit: 's',
                  sum: {
                    aggregationTemporality: 1,
                    isMonotonic: true,
                    dataPoints: [
                      {
                        attributes: [{ key: 'database', value: { stringValue: 'DB' } }],
                        ...TIMES,
                        asDouble: 1.2505,
                      },
                    ],
                  },
                },
                {
                  name: 'hop.clicks.lost',
                  unit: '{click}',
                  sum: {
                    aggregationTemporality: 1,
                    isMonotonic: true,
                    dataPoints: [{ attributes: [], ...TIMES, asInt: '400' }],
                  },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('a metric with several series is written once', () => {
    const point = { count: 1, sum: 1, buckets: [] };
    const request = encodeOtlp(
      {
        startedAt: 0,
        endedAt: 1,
        series: [
          { name: 'hop.mails', values: ['sent'], ...point },
          { name: 'hop.mails', values: ['failed'], ...point },
        ],
      },
      {},
    );
    const metrics = request.resourceMetrics[0]?.scopeMetrics[0]?.metrics;
    expect(metrics).toMatchObject([{ name: 'hop.mails', sum: { dataPoints: [{}, {}] } }]);
  });
});
