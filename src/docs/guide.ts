// The guide at the head of the API description and of its page: what somebody reads who sends a first request. For
// customers, in Markdown. The operations are told in the areas, what can go wrong in failures.ts.
import { limits } from '../limits.ts'
import { failureTable } from './openapi/failures.ts'
import { exampleOrigin } from './samples/code-samples.ts'

export const guide = `Takes in leads, people to be phoned, for automated outbound calling campaigns, and hands them out to the agents that call.

## First request

You need an API key (\`lk_…\`) and the id of a campaign; you were given both. Send the key in the header \`x-api-key\` with every request. Then a lead takes a campaign and a phone number:

\`\`\`sh
curl -X POST ${exampleOrigin}/api/v1/leads \\
  -H "x-api-key: $LEAD_INTAKE_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"campaignId": "demo", "phoneNumber": "+14155550123"}'
\`\`\`

\`\`\`json
{ "success": true, "data": { "leadId": "1a1fb47365400000100000001nTelzbbSjlh" }, "error": null }
\`\`\`

Every answer has these three members: \`success\`, \`data\` (null when the request failed) and \`error\` (null when it succeeded). To send many leads at once, use [Create many leads](#createLeads); to see what is there, [List the leads of a campaign](#listLeads). For TypeScript and JavaScript there is a client, \`@lead-intake/client\`, which sends again, pages and keeps to the limits by itself: each operation shows how. Install the file that \`npm pack -w src/sdk\` makes of the service’s source: it is not in a public registry.

## Keys

A key is for a whole company, or for one campaign of it. Its scope says what it may do; what acts on the company is not for a campaign’s key. Keep keys on your server: who has one can send in your name.

| Scope | May |
| --- | --- |
| \`read\` | list and read leads |
| \`write\` | also create, change and requeue leads, and suppress phone numbers |
| \`agent\` | claim leads and report their calls; read single leads and settings |
| \`manage\` | all of this, change settings, lift suppressions, erase people, and make webhooks |

## Sending again

A lead is never stored twice: a phone number that is in the campaign already is refused with 409 \`Lead already exists\`, and skipped in a bulk. So when a connection breaks, send the same request again. 2xx and 409 \`Lead already exists\` mean done, 429 and 503 mean again after \`Retry-After\` seconds, any other 4xx means that the request has to change.

To get the _same answer_ again, send an \`Idempotency-Key\` header, the same one with every try: then a create that was answered before is 201 again, with \`Idempotent-Replayed: true\`. The request is compared byte for byte: send the same text, not a new rendering.

## Limits

| At most | in any | for each |
| --- | --- | --- |
| ${limits.requestsPerHourPerKey} requests | 60 minutes | API key |
| ${limits.bulkRequestsPerMinutePerKey} bulk requests, which count among those too | 60 seconds | API key |
| ${limits.healthRequestsPerMinutePerAddress} health checks | 60 seconds | address |
| ${limits.refusedKeysPerMinutePerAddress} requests without a valid key | 60 seconds | address |

Each request comes back to the allowance exactly so long after it was made. \`X-RateLimit-Remaining\` of every answer tells what is left of the window that has the fewest, \`X-RateLimit-Reset\` when that rises. A request that is refused with 429 counts in no window, nor does one whose key could not be looked up (503). An IPv6 address is taken by its /64.

## Paging

Without \`limit\`, a list of leads is the whole campaign, streamed. With \`limit\` it is one page, and \`data.nextCursor\` is the \`cursor\` of the next, null on the last. Go on until it is null: a page may have fewer leads than asked for. No lead is missed or repeated while others are added.

\`\`\`sh
curl '${exampleOrigin}/api/v1/leads?campaignId=demo&limit=100' \\
  -H "x-api-key: $LEAD_INTAKE_KEY"
\`\`\`

## Errors

\`error\` is for people, the header \`X-Error-Code\` for machines. What is checked first stands first.

A request that might do something else than you meant is refused with 400: one with a member that its operation does not have, or with an empty id. Only create and bulk ignore members that they do not know. A query parameter that is almost right, such as \`dryrun\`, is 400 \`unknown_parameter\`, and any other that is not known is ignored.

${failureTable()}
`
