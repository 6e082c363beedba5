// The health check in the API description, and the check of the set-up.

import { limits, waits } from '../../base/limits.ts'
import { failures, failureWithData } from '../openapi/failures.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, json, needs, ok, requestId, response } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'

const tag = {
  name: 'Health',
  description: 'For uptime monitors, and for the operator who sets the service up.',
}

const exampleHealth = (status: 'ok' | 'error', latencyMs: number) => ({
  status,
  timestamp: '2026-11-20T09:00:00.000Z',
  version: '2.1.0',
  checks: { database: { status, latencyMs } },
})

const checkHealth = {
  route: 'GET /api/health',
  summary: 'Check availability',
  description: prose`Checks that the service responds and that the database answers a simple query within
    ${waits.healthCheckMs / 1000} seconds. Requires no key. At most ${limits.healthRequestsPerMinutePerAddress}
    requests per minute and IP address.`,
  security: [],
  parameters: [requestId],
  responses: {
    200: response('Available.', json(s.reference('Health'), exampleHealth('ok', 2))),
    ...failures('rate_limited', 'internal_error'),
    ...failureWithData('service_unavailable', s.reference('Health'), exampleHealth('error', 2000)),
  },
}

/** HEAD: the same without bodies. */
const checkHealthBriefly = {
  ...checkHealth,
  route: 'HEAD /api/health',
  summary: 'Check availability without a body',
  responses: Object.fromEntries(
    Object.entries(checkHealth.responses).map(([status, one]) => {
      const { content, ...rest } = one as { content: unknown }
      return [status, rest]
    }),
  ),
}

const diagnose = needs.operate('GET /api/v1/diagnosis', {
  summary: 'Check the set-up of the service',
  description: 'What the Worker sees of it. `npm run admin -- doctor` adds how to fix it.',
  responses: ok(
    'The checks.',
    s.exactObject({
      version: s.text('Of the software that the Worker runs.'),
      checks: s.arrayOf('Check'),
    }),
    {
      version: '2.1.0',
      checks: [
        { name: 'WEBHOOK_ROOT', status: 'ok', message: 'set' },
        {
          name: 'migrations',
          status: 'broken',
          message: 'not applied: 2014_webhook_format.sql',
        },
      ],
    },
  ),
})

const status = { type: 'string', enum: ['ok', 'error'] }

export const health: Area = {
  tag,
  operations: { checkHealth, checkHealthBriefly, diagnose },
  schemas: {
    Check: s.exactObject({
      name: s.text('What is checked: a secret, a variable or a part of the service.'),
      status: s.oneOf(['ok', 'warning', 'broken'])`\`broken\`: something does not work until it is fixed.`,
      message: s.text('For people. Holds nothing of a secret.'),
    }),
    Health: s.exactObject({
      status,
      timestamp: { type: 'string', format: 'date-time' },
      version: { type: 'string' },
      checks: s.exactObject({ database: s.exactObject({ status, latencyMs: s.count('Milliseconds.') }) }),
    }),
  },
}
