// The API description: one OpenAPI 3.1 document, of which each area is in a file of its own. It is built from the code
// that it describes, once, when the project is built (see build.ts): the Worker has no part in it.
import { limits } from '../limits.ts'
import { calling } from './describe-calling.ts'
import { campaigns } from './describe-campaigns.ts'
import { events } from './describe-events.ts'
import { health } from './describe-health.ts'
import { leadCalls } from './describe-lead-calls.ts'
import { leadLife } from './describe-lead-life.ts'
import { leads } from './describe-leads.ts'
import { suppressions } from './describe-suppressions.ts'
import { webhooks } from './describe-webhooks.ts'
import { failureTable } from './failures.ts'
import { headers, requestHeaders } from './headers.ts'
import type { Area } from './operation.ts'

/** In the order in which the page shows them. */
const areas: readonly Area[] = [
  leads,
  leadLife,
  calling,
  leadCalls,
  campaigns,
  suppressions,
  events,
  webhooks,
  health,
]

const introduction = `Takes in leads, people to be phoned, for automated outbound calling campaigns.

Every answer is an envelope of three members: \`success\`, \`data\` (null when the request failed) and \`error\` (null when it succeeded). Each request but the health check carries an API key in \`x-api-key\`. A key belongs to a company or to one campaign, and has a scope: \`read\` lists and reads leads; \`write\` also creates and requeues them, and suppresses phone numbers; \`agent\` claims leads, reports their calls, and reads single leads and settings; \`manage\` does all of this, changes settings, and lifts suppressions. What acts on the company is not for a campaign’s key.

## Limits

| At most | in any | for each |
| --- | --- | --- |
| ${limits.requestsPerHourPerKey} requests | 60 minutes | API key |
| ${limits.bulkRequestsPerMinutePerKey} bulk requests, which count among those too | 60 seconds | API key |
| ${limits.healthRequestsPerMinutePerAddress} health checks | 60 seconds | address |
| ${limits.refusedKeysPerMinutePerAddress} requests without a valid key | 60 seconds | address |

Each request comes back to the allowance exactly so long after it was made. Every answer tells what is left. A request refused with 429, or whose key could not be looked up (503), counts in no window. An IPv6 address is taken by its /64.

## Failures

What is checked first stands first. For a sender: 2xx and 409 \`Lead already exists\` mean done, 429 and 503 mean again after \`Retry-After\`, any other 4xx means that the request has to change.

<details>
<summary>All failures</summary>

`

/** As plain JSON, for this version of the service. */
export function describeApi(version: string): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify({
      openapi: '3.1.0',
      info: {
        title: 'Lead intake',
        version,
        description: `${introduction}${failureTable()}\n\n</details>`,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: areas.map(({ tag }) => tag),
      paths: joinedPaths(areas.map(({ paths }) => paths)),
      webhooks: joined(areas.map((area) => area.webhooks ?? {})),
      components: {
        schemas: joined(areas.map(({ schemas }) => schemas)),
        headers,
        parameters: requestHeaders,
        securitySchemes: {
          ApiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description: '`lk_` and 38 letters and digits. `npm start` prints two for the campaign `demo`.',
          },
        },
      },
    }),
  )
}

/** Two areas with an operation or a schema of the same name would lose one of them. */
function joined(parts: readonly Readonly<Record<string, object>>[]): Record<string, object> {
  const entries = parts.flatMap(Object.entries)
  const whole = Object.fromEntries(entries)
  if (Object.keys(whole).length < entries.length) throw new Error('Two areas describe the same name.')
  return whole
}

/** Areas may share a path, each with methods of its own. */
function joinedPaths(parts: readonly Area['paths'][]): Record<string, object> {
  const byPath = Map.groupBy(parts.flatMap(Object.entries), ([path]) => path as string)
  const paths = [...byPath].map(([path, found]) => [
    path,
    joined(found.map(([, operations]) => operations as Record<string, object>)),
  ])
  return Object.fromEntries(paths)
}
