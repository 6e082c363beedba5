// What a system needs to send leads or to call them, with links to the guide of each system; and a test lead.
import type { Campaign } from '../../sdk/src/models.ts'
import { companyHashOf, hashOf } from '../place.ts'
import { useSession } from '../service/session.ts'
import type { Round } from '../service/use-reading.ts'
import { Card, Facts } from '../ui/card.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { anyKey, sendCommand } from './commands.ts'
import { TestPanel } from './test-panel.tsx'

type Props = { readonly campaign: Campaign; readonly round: Round }

/** Pages below /docs/connect. */
const senders = {
  hubspot: 'HubSpot',
  salesforce: 'Salesforce',
  pipedrive: 'Pipedrive',
  zapier: 'Zapier',
  make: 'Make',
  n8n: 'n8n',
  curl: 'Your own program',
}
const callers = {
  agent: 'Your own agent',
  livekit: 'LiveKit',
  vapi: 'Vapi',
  retell: 'Retell',
  twilio: 'Twilio',
}
const aKey = 'A key with scope write'
const receivers = { webhooks: 'Webhooks', polling: 'Polling' }

export function ConnectPage({ campaign: { id }, campaign, round }: Props) {
  const { rights, member } = useSession()
  const { origin } = location
  const keys = rights.company ? companyHashOf('company', 'keys') : hashOf(id, 'settings', 'keys')
  return (
    <div class="beside">
      <h1>Connect</h1>
      <Card title="Send leads" class="main">
        <Facts
          kind="fields recipe"
          facts={[
            ['Address', <Copied key="address" text={`${origin}/api/v1/leads`} />],
            ['Header', <Copied key="header" text="x-api-key" />],
            ['Its value', rights.manage ? <a href={keys}>{aKey}</a> : member === null ? 'Your key' : aKey],
            ['campaignId', <Copied key="campaign" text={id} />],
          ]}
        />
        <CodeBlock text={sendCommand({ origin, campaignId: id, key: anyKey })} what="the command" />
        <Guides name="Guides to send leads" pages={senders} />
      </Card>
      <Card title="Call leads">
        {rights.manage && (
          <p>
            <a href={hashOf(id, 'calling')}>Let the service call</a> by your voice provider, or run an agent
            with a <a href={keys}>key of scope agent</a>.
          </p>
        )}
        <Guides name="Guides to call leads" pages={callers} />
      </Card>
      <Card title="Receive results">
        <Guides name="Guides to receive results" pages={receivers} />
      </Card>
      <TestPanel campaign={campaign} round={round} />
    </div>
  )
}

type GuidesProps = { readonly name: string; readonly pages: Readonly<Record<string, string>> }

const Guides = ({ name, pages }: GuidesProps) => (
  <ul class="line" aria-label={name}>
    <li class="muted">Guides:</li>
    {Object.entries(pages).map(([page, title]) => (
      <li key={page}>
        <a href={`/docs/connect/${page}`}>{title}</a>
      </li>
    ))}
  </ul>
)

const Copied = ({ text }: { readonly text: string }) => (
  <>
    <code>{text}</code>
    <span class="line">
      <CopyButton text={text} what={text} />
    </span>
  </>
)
