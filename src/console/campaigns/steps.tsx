// Create a campaign, bring leads, say who calls, call one's own phone, and start: what each takes is one press away,
// and is ticked when the API says so. What a program needs is folded.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Campaign, CampaignOverview } from '../../sdk/src/models.ts'
import { anyKey, pretendCommand, sendCommand } from '../connect/commands.ts'
import { hashOf } from '../place.ts'
import { useSession } from '../service/session.ts'
import { CreateKey } from '../settings/keys/create-key.tsx'
import { Card } from '../ui/card.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { zoneOf } from '../ui/words/zone-time.ts'
import { CreateCampaign } from './create-campaign.tsx'
import { useStepsDone } from './steps-done.ts'

type Props = {
  readonly campaign: Campaign | null
  readonly dialer: CampaignOverview['dialer']
  readonly onDone?: () => void
  readonly onTick?: () => void
}

/** A key that was made here. */
type Made = {
  readonly key: string
  /** Until the person has copied it. */
  readonly isShown: boolean
}

export function Steps({ campaign, dialer, onDone, onTick }: Props) {
  const { rights } = useSession()
  const { done, failure, check } = useStepsDone(campaign, dialer)
  const [writeKey, setWriteKey] = useState<Made | null>(null)
  const [agentKey, setAgentKey] = useState<Made | null>(null)
  const isConnected = done.dialer || done.agent
  // An agent of one's own is no phone's that the service could ring.
  const ticks = [
    campaign !== null,
    done.lead || done.source,
    isConnected,
    done.test || done.agent,
    done.start,
  ]
  const next = ticks.indexOf(false)
  const isAt = (step: number) => campaign !== null && next === step
  const count = ticks.filter(Boolean).length
  const afterCampaign = (content: (campaign: Campaign) => ComponentChildren) =>
    campaign === null ? <p class="muted">First create a campaign.</p> : content(campaign)
  /** For who may not, whom to ask. */
  const forManager = (what: string, content: (campaign: Campaign) => ComponentChildren) =>
    rights.manage ? afterCampaign(content) : <AskManager what={what} />
  useEffect(() => {
    if (done.lead || done.start) onTick?.()
  }, [done.lead, done.start])
  return (
    <Card title="First steps" note={<span class="muted">{count} of 5 done</span>}>
      <p role="status" class="unseen">
        {count} of 5 steps are done
      </p>
      <ol class="steps">
        <Step number={1} title="Create a campaign" isDone={campaign !== null} isOpen={campaign === null}>
          {campaign !== null ? (
            <p>
              {campaign.name}, with the id <code>{campaign.id}</code>.
            </p>
          ) : rights.manage && rights.company ? (
            <CreateCampaign />
          ) : (
            <AskManager what="create a campaign" />
          )}
        </Step>
        <Step
          number={2}
          title="Import a file or make a source"
          isDone={done.lead || done.source}
          isOpen={isAt(1) || writeKey?.isShown === true}
        >
          {afterCampaign((campaign) => (
            <>
              <p>
                <a href={hashOf(campaign.id, 'import')}>Import a file</a> of Excel or CSV
                {rights.manage && (
                  <>
                    , or <a href={hashOf(campaign.id, 'sources')}>make a source</a>: an address to which a
                    form, ad or CRM sends its leads
                  </>
                )}
                .
              </p>
              <ForDevelopers isOpen={writeKey?.isShown === true}>
                <SendByProgram campaign={campaign} made={writeKey} onMade={setWriteKey} />
              </ForDevelopers>
            </>
          ))}
          <Check isDone={done.lead || done.source} onCheck={check} />
        </Step>
        <Step
          number={3}
          title="Dial or connect"
          isDone={isConnected}
          isOpen={isAt(2) || agentKey?.isShown === true}
        >
          {forManager('say who calls', (campaign) => (
            <>
              <p>
                <a href={hashOf(campaign.id, 'calling')}>Let the service dial</a> by your voice provider, or
                pretend to. Leave it off until you have called your own phone.
              </p>
              <ForDevelopers isOpen={agentKey?.isShown === true}>
                <FirstAgent campaign={campaign} agentKey={agentKey} onKey={setAgentKey} />
              </ForDevelopers>
            </>
          ))}
          <Check isDone={isConnected} onCheck={check} />
        </Step>
        <Step number={4} title="Call my phone" isDone={done.test || done.agent} isOpen={isAt(3)}>
          {forManager('call a phone as a test', ({ id }) => (
            <p>
              <a href={hashOf(id, 'calling')}>Call my phone</a> rings your own number as it would a lead’s,
              while the dialer is off too.
            </p>
          ))}
          <Check isDone={done.test || done.agent} onCheck={check} />
        </Step>
        <Step number={5} title="Start" isDone={done.start} isOpen={isAt(4)}>
          {forManager('start the dialer', ({ id }) => (
            <p>
              Switch the dialer on in <a href={hashOf(id, 'calling')}>Calling</a>, which says how many leads
              it calls and when, or start your agent.
            </p>
          ))}
          <Check isDone={done.start} onCheck={check} />
        </Step>
      </ol>
      <Failure>{failure && `${failure} Trying again.`}</Failure>
      {done.lead && onDone && (
        <Button class={next === -1 ? 'primary' : ''} onClick={onDone}>
          Show the overview
        </Button>
      )}
    </Card>
  )
}

type DevelopersProps = { readonly isOpen: boolean; readonly children: ComponentChildren }

const ForDevelopers = ({ isOpen, children }: DevelopersProps) => (
  <details open={isOpen}>
    <summary>For developers</summary>
    <div class="group">{children}</div>
  </details>
)

type SendProps = {
  readonly campaign: Campaign
  readonly made: Made | null
  readonly onMade: (made: Made) => void
}

function SendByProgram({ campaign, made, onMade }: SendProps) {
  const { rights } = useSession()
  const { id } = campaign
  const key = made?.key ?? anyKey
  return (
    <>
      {rights.manage && (
        <MakeKey
          campaign={campaign}
          scope="write"
          name="CRM"
          hint="A system that sends leads to this campaign. Give each system a key of its own."
          made={made}
          onMade={onMade}
        />
      )}
      <p>
        Run this in a terminal{made === null && `, with your key in place of ${anyKey}`}. The number is made
        up; put yours there to be called.
      </p>
      <CodeBlock text={sendCommand({ origin: location.origin, campaignId: id, key })} what="the command" />
      <p>
        Or <a href={hashOf(id, 'connect')}>connect a CRM</a>.
      </p>
    </>
  )
}

type StepProps = {
  readonly number: number
  readonly title: string
  readonly isDone: boolean
  readonly isOpen: boolean
  readonly children: ComponentChildren
}

/** Numbered until it is done, and open while it is the one to do next. */
function Step({ number, title, isDone, isOpen, children }: StepProps) {
  return (
    <li class={isDone ? 'step done' : 'step'}>
      <details open={isOpen}>
        <summary>
          <span class="step-mark" aria-hidden="true">
            {isDone ? '✓' : number}
          </span>
          {title}
          <span class="unseen">{isDone ? ', done' : ', to do'}</span>
        </summary>
        <div class="step-body group">{children}</div>
      </details>
    </li>
  )
}

function AskManager({ what }: { readonly what: string }) {
  const { company, rights } = useSession()
  return (
    <p>
      You cannot {what}. Ask somebody at {company.name} who signs in with the right to <code>manage</code>
      {rights.manage ? ' the whole company' : ''}.
    </p>
  )
}

type MakeProps = {
  readonly campaign: Campaign
  readonly scope: 'write' | 'agent'
  /** Suggested. */
  readonly name: string
  readonly hint: string
  /** Null: none was made here. */
  readonly made: Made | null
  readonly onMade: (made: Made) => void
}

/** Creates a key for the campaign, and shows it once. All keys are in the settings. */
function MakeKey({ campaign, made, onMade, ...preset }: MakeProps) {
  if (made?.isShown)
    return (
      <ShownOnce what="key" secret={made.key} onDone={() => onMade({ ...made, isShown: false })}>
        The new key, with scope {preset.scope} for {campaign.name}.
      </ShownOnce>
    )
  if (made !== null) return <p>The key is created. In this tab, the commands below contain it.</p>
  return (
    <CreateKey
      campaign={campaign}
      zone={zoneOf(campaign)}
      preset={preset}
      onCreated={({ key }) => key !== null && onMade({ key, isShown: true })}
    />
  )
}

type CheckProps = { readonly isDone: boolean; readonly onCheck: () => void }

const Check = ({ isDone, onCheck }: CheckProps) =>
  isDone ? null : (
    <p class="muted small">
      This step is ticked within a minute, or when you return to this window.{' '}
      <Button class="link" onClick={onCheck}>
        Check now
      </Button>
    </p>
  )

type AgentProps = {
  readonly campaign: Campaign
  readonly agentKey: Made | null
  readonly onKey: (made: Made) => void
}

function FirstAgent({ campaign, agentKey, onKey }: AgentProps) {
  const key = agentKey?.key ?? anyKey
  const pretend = pretendCommand({ origin: location.origin, campaignId: campaign.id, key })
  return (
    <>
      <MakeKey
        campaign={campaign}
        scope="agent"
        name="Agent"
        hint="An agent takes a key of its own, which claims leads and cannot list them."
        made={agentKey}
        onMade={onKey}
      />
      <p>To see calls without a phone, run the pretend agent in the service's folder:</p>
      <CodeBlock text={pretend} what="the command of the pretend agent" />
      <p>
        Or write <a href="/docs/connect/agent">your own agent</a>.
      </p>
    </>
  )
}
