// What to paste where, so that a system sends leads or an agent calls them, with this service's address, the campaign and
// the key filled in. The long recipes are in src/docs/connect. Pure.

export type Field = readonly [name: string, value: string, isCopied?: boolean]

export type Recipe = {
  readonly title: string
  /** The right that the key needs. */
  readonly needs: 'write' | 'agent'
  /** Where to begin. */
  readonly start: string
  readonly fields: readonly Field[]
  readonly code: { readonly name: string; readonly text: string } | null
  readonly notes: readonly string[]
  /** The long recipe. */
  readonly docs: { readonly address: string; readonly words: string }
}

/** In place of a key that only its owner knows. */
export const anyKey = 'lk_...'

type Filled = { readonly origin: string; readonly campaignId: string; readonly key: string }

export const recipeIds = ['curl', 'hubspot', 'zapier', 'make', 'n8n', 'agent'] as const
export type RecipeId = (typeof recipeIds)[number]

const numbersAreExact =
  'Phone numbers in E.164, such as +14155550123: any other form is refused, because a wrong guess calls a stranger.'
const onPage = (page: string, words = 'The whole recipe, with errors and retries') => ({
  address: `/docs/connect/${page}`,
  words,
})

export function recipesOf({ origin, campaignId, key }: Filled): Readonly<Record<RecipeId, Recipe>> {
  const url = `${origin}/api/v1/leads`
  const campaign = JSON.stringify(campaignId)
  const header: readonly Field[] = [
    ['Name', 'x-api-key', true],
    ['Value', key, true],
  ]
  return {
    curl: {
      title: 'curl',
      needs: 'write',
      start: 'In a shell, or as the request of any system that can send one.',
      fields: [],
      code: {
        name: 'the command',
        text: commandOf(url, campaign, key),
      },
      notes: [
        'The Idempotency-Key names the record: when it is sent again, nothing is stored twice.',
        numbersAreExact,
      ],
      docs: onPage('curl'),
    },
    hubspot: {
      title: 'HubSpot',
      needs: 'write',
      start: 'Workflow → Send a webhook (Data Hub Professional or Enterprise).',
      fields: [
        ['Method', 'POST'],
        ['URL', url, true],
        ['Authentication type', 'API key, location: Request header'],
        ...header,
        ['Request body', 'Customize request body'],
        ['campaignId', campaignId, true],
        ['phoneNumber', 'property: a phone number in E.164'],
        ['externalId', 'property: Record ID'],
      ],
      code: null,
      notes: ['A record that is sent again gets 409, which is fine.', numbersAreExact],
      docs: onPage('hubspot'),
    },
    zapier: {
      title: 'Zapier',
      needs: 'write',
      start: 'Webhooks by Zapier → Custom Request (paid plans).',
      fields: [
        ['Method', 'POST'],
        ['URL', url, true],
        ['Header x-api-key', key, true],
        ['Header Content-Type', 'application/json', true],
        ['Header Idempotency-Key', 'hubspot-{{id}}', true],
      ],
      code: {
        name: 'the data',
        text: `{"campaignId":${campaign},"phoneNumber":"{{phone}}","externalId":"{{id}}","metadata":{"name":"{{name}}"}}`,
      },
      notes: [
        '{{phone}}, {{id}} and {{name}} stand for fields of the trigger.',
        'Before it, a step Formatter → Numbers → Format Phone Number, to E164.',
        'An answer of 409 Lead already exists is done too: let an error handler continue.',
      ],
      docs: onPage('zapier'),
    },
    make: {
      title: 'Make',
      needs: 'write',
      start: 'HTTP → Make a request.',
      fields: [
        ['Authentication type', 'API key, in the header'],
        ...header,
        ['URL', url, true],
        ['Method', 'POST'],
        ['Header Idempotency-Key', 'pipedrive-{{1.id}}', true],
        ['Body', 'application/json'],
        ['Errors', 'Return error if HTTP request fails: on'],
      ],
      code: {
        name: 'the body',
        text: `{"campaignId":${campaign},"phoneNumber":"{{1.phone}}","externalId":"{{1.id}}","metadata":{"name":"{{1.name}}"}}`,
      },
      notes: [
        'In the scenario’s settings, turn Store incomplete executions on: then Make retries 429 and 503.',
        'For status 409, add an error handler that ignores it.',
        numbersAreExact,
      ],
      docs: onPage('make'),
    },
    n8n: {
      title: 'n8n',
      needs: 'write',
      start:
        'Paste this into the canvas, after a node whose items have id, phone and name. Then open the node.',
      fields: [['Credential', 'Header Auth'], ...header],
      code: { name: 'the node', text: nodeOf(url, campaign) },
      notes: [
        'Behind it, an IF node: 201 and 409 with Lead already exists are done, anything else goes where somebody sees it.',
        numbersAreExact,
      ],
      docs: onPage('n8n'),
    },
    agent: {
      title: 'Agent',
      needs: 'agent',
      start: 'With the client for TypeScript and JavaScript (src/sdk of the project).',
      fields: [],
      code: {
        name: 'the program',
        text: agentOf(origin, campaign),
      },
      notes: [
        `Start it with LEAD_INTAKE_KEY=${key}: the key does not belong into the program.`,
        'The client extends each lease while a call runs, and reports it. Without the client, report every call that you claim.',
      ],
      docs: {
        address: '/docs#area-calling',
        words: 'How agents claim and report, with agents in shell and Python',
      },
    },
  }
}

// The parts of a recipe that are programs. `campaign`: its id as JSON.

const commandOf = (url: string, campaign: string, key: string) => `curl -fsS --retry 5 --max-time 30 ${url} \\
  -H ${shellQuoted(`x-api-key: ${key}`)} \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: form-8812' \\
  -d ${shellQuoted(`{"campaignId":${campaign},"phoneNumber":"+14155550123"}`)}`

const agentOf = (
  origin: string,
  campaign: string,
) => `import { LeadIntake, runAgent } from '@lead-intake/client'

await runAgent({
  client: new LeadIntake({ baseUrl: '${origin}', apiKey: process.env.LEAD_INTAKE_KEY }),
  campaignId: ${campaign},
  concurrency: 10,
  call: async (lead, signal) => {
    const talk = await dial(lead.phoneNumber, signal) // yours: phones, and returns when the call ends
    return talk.answered ? 'answered' : { outcome: 'no_answer', durationSeconds: Math.round(talk.seconds) }
  },
})`

/** An HTTP Request node of n8n. */
function nodeOf(url: string, campaign: string): string {
  const members = [
    'phoneNumber: $json.phone',
    'externalId: String($json.id)',
    'metadata: { name: $json.name }',
  ]
  const body = `JSON.stringify({ campaignId: ${campaign}, ${members.join(', ')} })`
  const parameters = {
    method: 'POST',
    url,
    authentication: 'genericCredentialType',
    genericAuthType: 'httpHeaderAuth',
    sendHeaders: true,
    headerParameters: { parameters: [{ name: 'Idempotency-Key', value: "={{ 'crm-' + $json.id }}" }] },
    sendBody: true,
    specifyBody: 'json',
    jsonBody: `={{ ${body} }}`,
    options: { response: { response: { fullResponse: true, neverError: true } } },
  }
  const node = {
    name: 'Create lead',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    position: [0, 0],
    parameters,
  }
  return JSON.stringify({ nodes: [node], connections: {} })
}

export const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
