// Chooses who calls: the customer's own agents, which means no dialer, or a dialer made from a preset.

import { useState } from 'preact/hooks'
import type { Campaign, Dialer, DialerPreset } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { Button } from '../ui/controls.tsx'
import { FeedbackLine } from '../ui/feedback.tsx'
import { Radio } from '../ui/fields/select.tsx'
import { Question } from '../ui/question.tsx'
import { DialerForm } from './dialer-form.tsx'

type Props = {
  readonly campaign: Campaign
  /** Null: the campaign has none. */
  readonly dialer: Dialer | null
  readonly presets: readonly DialerPreset[]
  readonly onDialer: (dialer: Dialer | null) => void
}

const ownAgents = ''

export function WhoCalls({ campaign, dialer, presets, onDialer }: Props) {
  const { client } = useSession()
  /** Null: as it is. */
  const [chosen, setChosen] = useState<string | null>(null)
  const [isAsked, setIsAsked] = useState(false)
  const { feedback, run, setFeedback } = useAction()
  const who = chosen ?? dialer?.preset ?? ownAgents
  const choose = (name: string) => {
    setChosen(name)
    setIsAsked(false)
    setFeedback(null)
  }
  const show = (next: Dialer | null) => {
    setChosen(null)
    onDialer(next)
  }
  const remove = async () => {
    const { error, status } = await run(() => client.campaigns.dialer.remove(campaign.id), 'Removed.')
    setIsAsked(false)
    // Also when somebody else removed it first.
    if (error === null || status === 404) show(null)
  }
  const choice = (name: string, title: string) => (
    <Radio key={name} name="who" checked={who === name} onChoose={() => choose(name)}>
      {title}
    </Radio>
  )
  return (
    <>
      <fieldset class="group">
        <legend class="unseen">Who calls</legend>
        {choice(ownAgents, 'Your own agents')}
        {presets.map(({ name, title }) => choice(name, title))}
        {choice('custom', 'Your own template')}
      </fieldset>
      {who !== ownAgents ? (
        <DialerForm
          key={who}
          who={who}
          preset={presets.find(({ name }) => name === who)}
          dialer={dialer}
          campaign={campaign}
          startsAs={presets.find(({ name }) => name === dialer?.preset)?.template ?? presets.at(-1)?.template}
          onDialer={show}
        />
      ) : dialer === null ? (
        <a href={hashOf(campaign.id, 'connect')}>How to start an agent</a>
      ) : (
        <Button class="danger" aria-expanded={isAsked} onClick={() => setIsAsked(true)}>
          Remove the dialer…
        </Button>
      )}
      <FeedbackLine feedback={feedback} />
      {isAsked && (
        <Question
          text="Remove the dialer and its secrets? It starts no more calls. Live calls keep them until they have ended."
          yes="Yes, remove it"
          isDangerous
          onYes={remove}
          onCancel={() => setIsAsked(false)}
        />
      )}
    </>
  )
}
