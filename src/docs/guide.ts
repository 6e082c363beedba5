// The guide at the start of the API description and of its page, in Markdown, for customers who send a first request.
// Operations are described in the areas, failures in failures.ts.

import { noticeMonths } from '../base/http/endings.ts'
import { limits } from '../base/limits.ts'
import { failureTable } from './openapi/failures.ts'
import { prose } from './openapi/prose.ts'
import { exampleOrigin } from './samples/code-samples.ts'

const { refusedPostsPerMinute: refusedAMinute, refusedPostsPerHour: refusedAnHour } = limits

/** What people send most often that is not E.164. */
export const phoneSlips = prose`not \`+1 415-555-0123\` (spaces, dashes or brackets), not \`0014155550123\`
  (\`00\` in place of \`+\`), not \`(415) 555-0123\` or \`0171 2345678\` (national)`

export const guide = prose`Stores leads (people to call) for automated outbound calling campaigns, and leases
them to the agents that call.

## First request

You need an API key (\`lk_…\`) and the id of a campaign; your operator gives you both. Send the key in the
header \`x-api-key\` of every request. A lead requires a campaign and a phone number:

\`\`\`sh
curl -X POST ${exampleOrigin}/api/v1/leads \\
  -H "x-api-key: $LEAD_INTAKE_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"campaignId": "demo", "phoneNumber": "+14155550123"}'
\`\`\`

\`\`\`json
{ "success": true, "data": { "leadId": "1a1fb47365400000100000001nTelzbbSjlh" }, "error": null }
\`\`\`

Every response has these three members: \`success\`, \`data\` (null if the request failed) and \`error\` (null
if it succeeded). To send many leads at once, use [Create leads in bulk](#createLeads). To read them, use [List
the leads of a campaign](#listLeads). The client for TypeScript and JavaScript, \`@lead-intake/client\`, handles
retries, paging and rate limits; each operation has an example. It is not in a public registry: install the file
that \`npm pack -w src/sdk\` creates from the source of the service.

[The health check](#checkHealth) says without a key whether the service is up: [Uptime monitors](/docs/connect/monitors)
says what to enter in yours.

[Recipes](/docs/connect) connect [HubSpot](/docs/connect/hubspot),
[Salesforce](/docs/connect/salesforce), [Zapier](/docs/connect/zapier),
[Make](/docs/connect/make), [Pipedrive](/docs/connect/pipedrive), [n8n](/docs/connect/n8n), and voice agents:
see [Calling](#area-calling). [Consent](/docs/consent#what-it-does) says how people’s consents are kept and required.
[See two weeks](/docs/two-weeks) of a campaign in minutes, on your own machine. [Where data goes](/docs/data) says
what is stored, where, and how long, and [How it is tested](/docs/tested) what the service is held to.

## Testing and staging

Nothing has to ring to try an integration. \`npm start\` in the source of the service serves it on your own machine,
with a demo campaign, and [two weeks](/docs/two-weeks) of it pass in minutes. In a deployed service, use a campaign of
its own: with \`"paused": true\` it stores leads and calls nobody, and the dialer’s preset \`pretend\` plays calls
without a phone. [Create a lead](#createLead) and [Create leads in bulk](#createLeads) with \`dryRun=true\` say what
would be stored, and store nothing. A staging deployment, if your operator has one, has an address and keys of its own.

## E.164 phone numbers

A phone number is E.164, such as \`+14155550123\`: ${phoneSlips}. Such a number is refused with 400 and never
repaired, because guessing means calling a stranger. Normalise numbers where you know their country, for example
with libphonenumber. The imports of console and command line read them as people write them.

## Keys

A key is for a whole company, or for one of its campaigns. Its scope decides what it can do. A campaign’s key
cannot do anything that concerns the whole company: the response is 403 with \`X-Error-Code:
company_key_required\`. Send a company-wide key then, or set \`campaignId\` to the key’s campaign where the
request has it. Keep keys on your server: anybody who has one can act on your behalf. Give each system a key of
its own with the smallest scope, for one campaign if it needs no more: in the console, or with a manage key by
[Create an API key](#createKey).

| Scope | Allows to |
| --- | --- |
| \`read\` | list and read leads |
| \`write\` | also create, change and requeue leads, and suppress phone numbers |
| \`agent\` | claim leads and report their calls; read single leads and settings |
| \`manage\` | all of this, settings, suppressions, erasure, webhooks and keys; company-wide: create campaigns |

## Retries and idempotency

A lead is never stored twice: if the phone number is already in the campaign, the response is 409 \`Lead already
exists\`, and a bulk request skips the lead. If a connection breaks, send the same request again. 2xx and 409
\`Lead already exists\` mean done, 429 and 503 mean again after \`Retry-After\` seconds. With any other 4xx,
change the request. While the operator moves a company's data, which can take minutes, requests that write are
503, and reads continue.

To get the _same response_ again, send the same \`Idempotency-Key\` header with every retry: a create that
already succeeded is 201 again, with \`Idempotent-Replayed: true\`. Requests are compared byte for byte, so send
the same text.

## Rate limits

| At most | in any | per |
| --- | --- | --- |
| ${limits.requestsPerHourPerKey} requests | 60 minutes | API key |
| ${limits.bulkRequestsPerMinutePerKey} bulk requests, which count towards the first limit too | 60 seconds | API key |
| ${limits.newKeysPerHourPerCompany} created or rotated API keys | 60 minutes | company |
| ${limits.healthRequestsPerMinutePerAddress} health checks | 60 seconds | IP address |
| ${limits.refusedKeysPerMinutePerAddress} requests without a valid key | 60 seconds | IP address |
| ${limits.sourcePostsPerMinute} posts; ${limits.sourcePostsPerHour} | 60 seconds; 60 minutes | source |
| ${refusedAMinute} refused or dropped posts; ${refusedAnHour} | 60 seconds; 60 minutes | source, address |

Windows are exact: a request stops counting exactly 60 minutes or 60 seconds after it was made. In every
response, \`X-RateLimit-Remaining\` is what is left of the window that has the fewest requests left, and
\`X-RateLimit-Reset\` is when that rises. Requests refused with 429 do not count, nor do requests whose key
could not be checked (503). IPv6 addresses are counted by /64.

## Paging

Without \`limit\`, a list of leads is the whole campaign, streamed. With \`limit\` it is one page, and
\`data.nextCursor\` is the \`cursor\` of the next page. Continue until it is null: a page may have fewer leads
than \`limit\`. No lead is missed or repeated while others are added.

\`\`\`sh
curl '${exampleOrigin}/api/v1/leads?campaignId=demo&limit=100' \\
  -H "x-api-key: $LEAD_INTAKE_KEY"
\`\`\`

## Versions

The version of the API is in its paths: v1. What v1 has keeps its meaning: paths, members, codes and defaults. New
paths, members, parameters, event types and codes may come at any time, so ignore those that you do not know.
\`X-Api-Version\` and the \`info.version\` of the description are the version of this interface, which rises when it
gains something. The software that serves it has a version of its own, which [the health check](#checkHealth) returns.

| Interface | Software | Since | New |
| --- | --- | --- | --- |
| 1.0.0 | 1.0 | July 2025 | API keys with scopes, the three endpoints of leads, rate limits |
| 1.1.0 | 1.1 | October 2025 | the health check, the rate limits above |
| 1.2.0 | 2.0 | November 2026 | calls, campaigns, statistics, events, webhooks, suppressions, erasure, keys |
| 1.3.0 | 2.1 | November 2026 | dialers, sources, consents, members, companies of their own, searches |
| 1.4.0 | 2.2 | not yet released | hints, \`X-Ignored-Members\`, dry runs, origins, calls as a table, gates, callers |

A part of v1 ends at the earliest ${noticeMonths} months after that is announced, and v1 as a whole at the earliest
12 months after a v2 is there. From the announcement on, each response of what will end has the headers
\`Deprecation\` (since when it is announced), \`Sunset\` (when it ends) and \`Link\` (what to use instead), and the
changelog names it. Nothing is announced now.

## Errors

\`error\` is for people, the header \`X-Error-Code\` for machines. The table lists errors in the order of the
checks. \`X-Error-Hint\` says what would help, where the request itself shows it: that the key is not in its header or
has quotes around it, which scope is needed, the nearest path, or the phone number as E.164. It is the same for
every key of the same form.

A request with an unknown member in its body, or with an empty id, is refused with 400, because it might do
something you did not intend. Only create and bulk ignore unknown members, except one that means a known member:
it differs only by case, \`-\` or \`_\` (\`scheduled_for\`), is one typing error away from \`scheduledFor\`,
\`priority\`, \`timeZone\` or \`metadata\` (\`scheduleFor\`), or is another name of one (\`callAt\`, \`prio\`,
\`tz\`). It is 400 \`invalid_field\`, because without its time the lead would be called at once. A query
parameter that is almost known, such as \`dryrun\` or \`dry\`, is 400 \`unknown_parameter\`, and so is one that would
change what is done (\`dryRun\`, \`onInvalid\`, \`results\`, \`limit\`, \`cursor\`, \`createdAfter\`,
\`createdBefore\`, and typing errors of these) where the operation does not know it. All other unknown
parameters are ignored. The names of ignored members of leads, such as \`name\` or \`email\`, are in the
response header \`X-Ignored-Members\`: send them in \`metadata\` to keep them.

A lead that says do-not-call is refused with 400 \`invalid_field\`, on create, bulk and change: by a member whose name
says it, or may, in any spelling and in nine languages (\`doNotCall\`, \`phone_blacklisted\`, \`nicht anrufen\`,
\`optOut\`), unless its value says no or nothing; and by such a name in \`metadata\`, to a depth of three, where the
value is a clear yes (\`true\`, \`"Yes"\`, \`"ja"\`) and the name cannot be about e-mail (\`opt_out\`). Suppress the
number instead. Where the name means something else, send it under another name.

${failureTable()}
`
