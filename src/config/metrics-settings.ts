/** The keys of `metrics`: the push for hosts that no Prometheus can scrape. */
import * as z from 'zod';
import '../base/schema.ts';
import { text, whole } from './values.ts';

const otlp = z
  .strictObject({
    endpoint: text().exactOptional().meta({
      description:
        'Where to push the metrics: the whole address of a receiver of OTLP/HTTP, as Prometheus has it at /api/v1/otlp/v1/metrics.',
      allowed: 'an https:// address without user, query or fragment',
      example: 'https://prometheus.example.com/api/v1/otlp/v1/metrics',
    }),
    headersFile: text().exactOptional().meta({
      description:
        'The file with headers of each push, such as "Authorization: Bearer …", one a line; only its owner may read it (chmod 600). Under systemd use the credential "otlp-headers" instead.',
      example: '/etc/hostnode/otlp-headers',
    }),
    allowInsecure: z.boolean().default(false).meta({
      description:
        'Allow a plain http:// address other than this host. Metrics and headers then cross the network unencrypted.',
    }),
    caFile: text().exactOptional().meta({
      description: 'CA certificates (PEM) to trust instead of the system CAs.',
      example: '/etc/hostnode/ca.pem',
    }),
    everySeconds: whole(1, 240)
      .default(60)
      .meta({ description: 'Seconds between two pushes. Each host has its own place in them.' }),
    timeoutSeconds: whole(1, 60)
      .default(10)
      .meta({ description: 'Seconds to wait for a whole push, including the answer.' }),
  })
  .meta({ description: 'The push of the metrics by OTLP/HTTP. Without endpoint hostnode pushes nothing.' });

export const metricsSettings = z
  .strictObject({ otlp: otlp.prefault({}) })
  .meta({ description: 'The metrics, beside /metrics for Prometheus.' });
