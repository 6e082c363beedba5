// What the page says to developers of agents: the loop, waiting, what `stop` means, what to do after a crash, and two
// complete agents. The operations are in areas/describe-calling.ts, recipes for providers in connect/calls.

import { limits } from '../base/limits.ts'
import { prose } from './openapi/prose.ts'
import { exampleOrigin } from './samples/code-samples.ts'

const seconds = 25

export const agentGuide = prose`### The loop

1. [Claim](#claimCalls) as many leads as you have free seats, and wait for them (below).
2. Right before you dial, [extend](#extendCalls) the call with \`dialledAt\`, and store its \`callId\` with the
   call at your provider. Dial only before \`dialBefore\`, and only if \`stop\` is null.
3. While the call lasts, extend it before half of its lease is over, and look at \`stop\`.
4. [Report](#reportCalls) the outcome, as often as it takes: a report is safe to repeat, and never too late. Its
   \`claim\` gets the next lead in the same request. Report a do-not-call even if the lead was erased since: the
   id of the call is enough for a week.
5. [Release](#releaseCalls) what nobody dialled: it then counts as no attempt.

The service keeps the queue, hours, attempts, limits and do-not-call. What you store: the \`callId\` of each
open call with your provider’s id of it (report that as \`providerCallId\`), outcomes until the response says
that they are recorded, and the \`Idempotency-Key\` of a request until it is answered. In TypeScript,
\`runAgent\` of the client does all of this. Recipes: [LiveKit](/docs/connect/livekit), [any
provider](/docs/connect/any-provider). With [a dialer](/docs/connect/dialer) the service
does it, at Vapi, Retell, Twilio or by a template, and you need no agent.

### Wait for leads

An idle agent sends its claim with \`waitSeconds\`: ${seconds}. If no lead can be called, the service holds the
request until one may be, or until the time is over. Then claim again, at once, with a new \`Idempotency-Key\`:
after the reason \`ready\` to get the lead, after any other to wait on, unless \`retryAfterSeconds\` is more
than 0. Give the request ${seconds + 15} s before you give up on it.

A wait is one request, however many seats it asks for (\`limit\`): 144 an hour for an agent that waits all the
time, of the ${limits.requestsPerHourPerKey} that a key has. Five processes can wait with one key.

### How soon a lead is called

With a free agent that waits, a fraction of a second after it is created, changed or due. Otherwise with the
next claim. Before that come calling hours, \`scheduledFor\`, the campaign’s \`maxLiveCalls\` and
\`callsPerMinute\`, and the limits of its number; [why a lead is not called](#explainLead) lists what blocks it.
\`pickUp\` in the [statistics](#getStatistics) is how long leads waited.

### When they ring back

[Ask who rings](#findCaller), by the number of the call, and take it with \`take: true\`: the person is not called
meanwhile, and you report the call as any other. **Anybody can forge the number of a call.** Tell a caller nothing of
what is stored about the lead before he has said who he is, and let no assistant read its metadata aloud.

### What \`stop\` means

| \`stop\` | The call |
| --- | --- |
| \`erased\`, \`suppressed\` | hang up: the person is erased, or must not be called |
| \`consent_withdrawn\` | hang up: the consent that the call used was withdrawn |
| \`concluded\` | hang up: an earlier call, reported late, has reached the person, or found that the number is wrong |
| \`lease_lost\` | hang up, and report all the same: another agent may call the number |
| \`paused\`, \`outside_hours\` | a conversation may continue, but dial nobody. A pause never cuts running calls |

### After a crash

[List the open calls](#listOpenCalls) of your \`agent\`. For each of them:

- \`dialledAt\` is set: it was dialled. Ask your provider how it ended, and report that
- \`dialledAt\` is null, and you send it before every dial: nobody dialled. Release it
- you cannot know: leave it. When its lease ends it is \`unknown\`, an attempt, and the lead waits for its next
  one; a report corrects that, however late

Never dial again without a new claim: the phone would ring twice.

### An agent in shell

It claims, waits up to ${seconds} s for a lead, and repeats. It needs bash, curl and jq:

\`\`\`sh
set -o pipefail
while :; do curl -sf --max-time 40 ${exampleOrigin}/api/v1/calls/claim \\
  -H "x-api-key: $LEAD_INTAKE_KEY" -H 'Content-Type: application/json' \\
  -d '{"campaignId":"demo","waitSeconds":${seconds}}' | jq -c '.data.calls[]' | ./call-and-report || sleep 30; done
\`\`\`

\`call-and-report\` is yours. It gets each call as a line of JSON; this one says that somebody answered:

\`\`\`sh
#!/usr/bin/env bash
while read -r call; do
  : dial "$(jq -r .lead.phoneNumber <<< "$call")" before "$(jq -r .dialBefore <<< "$call")"
  jq -c '{calls: [{callId, outcome: "answered"}]}' <<< "$call" |
    curl -sf --retry 5 --max-time 30 -o report.json ${exampleOrigin}/api/v1/calls/report \\
      -H "x-api-key: $LEAD_INTAKE_KEY" -H 'Content-Type: application/json' -d @-
done
\`\`\`

### An agent in Python

It needs nothing but the standard library. A call that takes longer than its lease has to
[extend](#extendCalls) it.

\`\`\`python
import json, os, time, urllib.error, urllib.request, uuid

def post(path, body):
    headers = {"x-api-key": os.environ["LEAD_INTAKE_KEY"], "Content-Type": "application/json",
               "Idempotency-Key": str(uuid.uuid4())}  # the same in every try
    request = urllib.request.Request(f"${exampleOrigin}/api/v1/calls/{path}", json.dumps(body).encode(), headers)
    while True:
        pause = 5
        try:
            with urllib.request.urlopen(request, timeout=40) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise SystemExit(error.read().decode())
            pause = int(error.headers.get("Retry-After", pause))
        except OSError:
            pass  # no answer
        time.sleep(pause)

def dial(lead):  # yours: phones, and returns when the call ends
    return {"outcome": "answered"}

while True:
    claimed = post("claim", {"campaignId": "demo", "waitSeconds": ${seconds}, "agent": "python-1"})
    calls = [{"callId": call["callId"], **dial(call["lead"])} for call in claimed["calls"]]
    if calls:
        post("report", {"calls": calls})
    time.sleep(claimed["retryAfterSeconds"] or 0)
\`\`\`
`
