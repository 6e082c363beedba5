// What the page says to developers of agents: how an agent waits for leads, and two complete ones. The operations are in
// areas/describe-calling.ts.
import { limits } from '../limits.ts'
import { exampleOrigin } from './samples/code-samples.ts'

const seconds = 25

export const agentGuide = `### Wait for leads

An idle agent sends its claim with \`waitSeconds\`: ${seconds}. If no lead can be called, the service holds the request until one may be, or until the time is over. Then claim again, at once, with a new \`Idempotency-Key\`: after the reason \`ready\` to get the lead, after any other to wait on, unless \`retryAfterSeconds\` is more than 0. So an agent has a new lead within a fraction of a second. Give the request ${seconds + 15} s before you give up on it.

A wait is one request, however many seats it asks for (\`limit\`): 144 an hour for an agent that waits all the time, of the ${limits.requestsPerHourPerKey} that a key has. Five processes can wait with one key.

### An agent in shell

It claims, waits up to ${seconds} s for a lead, and repeats. It needs bash, curl and jq:

\`\`\`sh
set -o pipefail
while :; do curl -sf --max-time 40 ${exampleOrigin}/api/v1/calls/claim -H "x-api-key: $LEAD_INTAKE_KEY" -H 'Content-Type: application/json' \\
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

It needs nothing but the standard library. A call that takes longer than its lease has to [extend](#extendCalls) it.

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
