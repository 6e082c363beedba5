// The API description: one OpenAPI 3.1 document, with a file for each area. It is generated from the code when the
// project is built (site/build.ts). The Worker does not contain it.

import { interfaceVersion } from '../base/http/endings.ts'
import { keys } from './areas/access/describe-keys.ts'
import { members } from './areas/access/describe-members.ts'
import { calling } from './areas/describe-calling.ts'
import { campaigns } from './areas/describe-campaigns.ts'
import { companies } from './areas/describe-companies.ts'
import { dialers } from './areas/describe-dialers.ts'
import { events } from './areas/describe-events.ts'
import { health } from './areas/describe-health.ts'
import { inbound } from './areas/describe-inbound.ts'
import { leadCalls } from './areas/describe-lead-calls.ts'
import { leadLife } from './areas/describe-lead-life.ts'
import { leads } from './areas/describe-leads.ts'
import { overview } from './areas/describe-overview.ts'
import { search } from './areas/describe-search.ts'
import { sources } from './areas/describe-sources.ts'
import { statistics } from './areas/describe-statistics.ts'
import { webhooks } from './areas/describe-webhooks.ts'
import { consents } from './areas/numbers/describe-consents.ts'
import { gates } from './areas/numbers/describe-gates.ts'
import { suppressions } from './areas/numbers/describe-suppressions.ts'
import { guide } from './guide.ts'
import type { Document, Operation, PathItems } from './openapi/document.ts'
import { failureSchemas } from './openapi/failures.ts'
import { headers, requestHeaders } from './openapi/headers.ts'
import type { Area } from './openapi/operation.ts'
import { shareResponses } from './openapi/shared-responses.ts'
import { codeSamples } from './samples/code-samples.ts'

/** In the order in which the page shows them. */
const areas: readonly Area[] = [
  leads,
  health,
  search,
  leadLife,
  calling,
  inbound,
  leadCalls,
  campaigns,
  dialers,
  gates,
  sources,
  statistics,
  overview,
  suppressions,
  consents,
  events,
  webhooks,
  keys,
  members,
  companies,
]

export function describeApi(): Document {
  const { paths, responses } = shareResponses(pathsOf(areas))
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Lead intake',
      version: interfaceVersion,
      description: guide,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: areas.map(({ tag }) => tag),
    paths,
    webhooks: joined(areas.map((area) => area.webhooks ?? {})) as PathItems,
    components: {
      schemas: joined([failureSchemas, ...areas.map(({ schemas }) => schemas)]),
      headers,
      parameters: requestHeaders,
      responses,
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: '`lk_` followed by 38 letters and digits.',
        },
      },
    },
  }
  return JSON.parse(JSON.stringify(document))
}

/** Merges, and throws when a name exists twice: one of the two would be lost. */
function joined(parts: readonly Readonly<Record<string, object>>[]): Record<string, object> {
  const entries = parts.flatMap(Object.entries)
  const whole = Object.fromEntries(entries)
  if (Object.keys(whole).length < entries.length) throw new Error('Two areas describe the same name.')
  return whole
}

/** Areas may share a path, with different methods. */
function pathsOf(described: readonly Area[]): PathItems {
  const all = described.flatMap(({ tag, operations }) =>
    Object.entries(operations).map(([operationId, { route, ...described }]) => {
      const [method = '', path = ''] = route.split(' ')
      const operation = { operationId, tags: [tag.name], ...described } as unknown as Operation
      return { method: method.toLowerCase(), path, operation }
    }),
  )
  const paths = [...Map.groupBy(all, ({ path }) => path)].map(([path, found]) => [
    path,
    joined(
      found.map(({ method, operation }) => ({
        [method]: { ...operation, 'x-codeSamples': codeSamples(path, method, operation) },
      })),
    ),
  ])
  return Object.fromEntries(paths)
}
