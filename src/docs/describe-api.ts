// The API description: one OpenAPI 3.1 document. It is built from the code that it describes, once, when the
// project is built (see build.ts): the Worker has no part in it.

import { limits } from '../limits.ts'
import { failureTable } from './failures.ts'
import { headers, requestHeaders } from './headers.ts'
import { paths } from './operations.ts'
import { schemas } from './schemas.ts'

const introduction = `Takes in leads, people to be phoned, for outbound calling campaigns.

Every answer is an envelope of three members: \`success\`, \`data\` (null when the request failed) and \`error\` (null when it succeeded). Each request but the health check carries an API key in \`x-api-key\`. A key belongs to a company or to one campaign, and has the scope \`read\` (list and read leads) or \`write\` (also create them).

## Limits

| Requests | Window | Counted per |
| --- | --- | --- |
| ${limits.requestsPerHourPerKey} | hour | API key |
| ${limits.bulkRequestsPerMinutePerKey} bulk, which count in the hour too | minute | API key |
| ${limits.healthRequestsPerMinutePerAddress} health checks | minute | address |
| ${limits.refusedKeysPerMinutePerAddress} without a valid key | minute | address |

A window slides exactly: in any 60 minutes at most so many requests, each coming back 60 minutes after it was spent. Every answer tells what is left. A request refused with 429 counts in no window.

## Failures

What is checked first stands first. For a sender: 2xx and 409 mean done, 429 and 503 mean again after \`Retry-After\`, any other 4xx means that the request has to change.

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
        summary: 'Leads for automated outbound calling',
        description: `${introduction}${failureTable()}\n\n</details>`,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'Leads', description: 'Create, list and read.' },
        { name: 'Health', description: 'For uptime monitors.' },
      ],
      paths,
      components: {
        schemas,
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
