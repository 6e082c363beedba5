// Create a campaign, create a key, send a lead, start an agent: each step is done in place, and ticked when the API
// says so.
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
import { hasDialer } from './done-by-api.ts'
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
  const { done: found, failure, check } = useStepsDone(campaign)
  const done = { ...found, agent: found.agent || hasDialer(dialer) }
  const [writeKey, setWriteKey] = useState<Made | null>(null)
  const [agentKey, setAgentKey] = useState<Made | null>(null)
  const ticks = [campaign !== null, done.key, done.lead, done.agent]
  const next = ticks.indexOf(false)
  const isAt = (step: number) => campaign !== null && next === step
  const count = ticks.filter(Boolean).length
  const afterCampaign = (content: (campaign: Campaign) => ComponentChildren) =>
    campaign === null ? <p class="muted">First create a campaign.</p> : content(campaign)
  useEffect(() => {
    if (done.lead || done.agent) onTick?.()
  }, [done.lead, done.agent])
  return (
    <Card title="First steps" note={<span class="muted">{count} of 4 done</span>}>
      <p role="status" class="unseen">
        {count} of 4 steps are done
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
          title="Make a source or a key"
          isDone={done.key}
          isOpen={isAt(1) || writeKey?.isShown === true}
        >
          {!rights.manage ? (
            <AskManager what="create keys" />
          ) : (
            afterCampaign((campaign) => (
              <>
                <p>
                  A form, ad or CRM needs no key: <a href={hashOf(campaign.id, 'sources')}>make a source</a>,
                  and paste its address there. A program of your own takes a key.
                </p>
                <MakeKey
                  campaign={campaign}
                  scope="write"
                  name="CRM"
                  hint="A system that sends leads to this campaign. Give each system a key of its own."
                  made={writeKey}
                  onMade={(made) => {
                    setWriteKey(made)
                    check()
                  }}
                />
              </>
            ))
          )}
        </Step>
        <Step
          number={3}
          title="Send the first lead"
          isDone={done.lead}
          isOpen={isAt(2) || (isAt(1) && !rights.manage)}
        >
          {afterCampaign(({ id }) => (
            <>
              <p>
                Run this in a terminal{writeKey === null && `, with your key in place of ${anyKey}`}. The
                number is made up; put yours there to be called.
              </p>
              <CodeBlock
                text={sendCommand({ origin: location.origin, campaignId: id, key: writeKey?.key ?? anyKey })}
                what="the command"
              />
              <p>
                Or <a href={hashOf(id, 'import')}>import a CSV file</a>, or{' '}
                <a href={hashOf(id, 'connect')}>connect a CRM</a>.
              </p>
            </>
          ))}
          <Check isDone={done.lead} onCheck={check} />
        </Step>
        <Step
          number={4}
          title="Start an agent or a dialer"
          isDone={done.agent}
          isOpen={isAt(3) || agentKey?.isShown === true}
        >
          {afterCampaign((campaign) => (
            <FirstAgent campaign={campaign} agentKey={agentKey} onKey={setAgentKey} />
          ))}
          <Check isDone={done.agent} onCheck={check} />
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
  const { rights } = useSession()
  const key = agentKey?.key ?? anyKey
  const pretend = pretendCommand({ origin: location.origin, campaignId: campaign.id, key })
  return (
    <>
      {rights.manage && (
        <p>
          <a href={hashOf(campaign.id, 'calling')}>Let the service call</a> by your voice provider, or pretend
          to. Then you need no agent of your own.
        </p>
      )}
      {rights.manage ? (
        <MakeKey
          campaign={campaign}
          scope="agent"
          name="Agent"
          hint="An agent takes a key of its own, which claims leads and cannot list them."
          made={agentKey}
          onMade={onKey}
        />
      ) : (
        <AskManager what="create the agent's key" />
      )}
      <p>To see calls without a phone, run the pretend agent in the service's folder:</p>
      <CodeBlock text={pretend} what="the command of the pretend agent" />
      <p>
        Or write <a href="/docs/connect/agent">your own agent</a>.
      </p>
    </>
  )
}
