// Which events a webhook gets: all, or those of some types.
import { useState } from 'preact/hooks'
import type { EventType } from '../../../sdk/src/models.ts'
import { Tick } from '../../ui/controls.tsx'
import { Failure } from '../../ui/feedback.tsx'

import { Radio } from '../../ui/fields/select.tsx'

/** Null: every type that the key may see, and those of later versions too. */
export type Types = readonly EventType[] | null

/** The compiler wants every type here. */
export const eventNames: Readonly<Record<EventType, string>> = {
  'leads.created': 'Leads were created',
  'call.started': 'The dialer started a call',
  'call.reported': 'An agent reported a call',
  'call.expired': 'An agent stopped during a call',
  'call.released': 'An agent gave a call back without dialling',
  'lead.concluded': 'A lead is done',
  'lead.exhausted': 'A lead has no attempt left',
  'lead.changed': 'A lead was changed',
  'lead.erased': 'A person was erased',
  'lead.requeued': 'A lead is called again',
  'campaign.changed': 'Settings were changed',
  'campaign.created': 'A campaign was created',
  'campaign.archived': 'A campaign was archived',
  'agent.failing': 'The calls of an agent fail',
  'suppression.added': 'A do-not-call number was added',
  'suppression.lifted': 'A do-not-call number was removed',
  'key.created': 'A key was created',
  'key.created_by_operator': 'The operator created a key',
  'key.rotated': 'A key was rotated',
  'key.revoked': 'A key was revoked',
  'source.refused': 'A form was refused',
  'member.added': 'A member was added',
  'member.changed': 'The role of a member changed',
  'member.removed': 'A member was removed',
  'webhook.changed': 'A webhook was changed',
  'webhook.disabled': 'A webhook was turned off',
  'webhook.gave_up': 'An event was not delivered',
  'erasure.done': 'An erasure is complete',
  'leads.exported': 'Leads were exported',
  'dialer.test_started': 'A test call was started',
  'record.read': 'The record of a number was read',
  'company.restored': 'The operator restored the company',
  'alert.raised': 'Something needs attention',
  'alert.cleared': 'An alert is over',
}

/** What most receivers need. */
export const commonTypes: readonly EventType[] = ['call.reported', 'lead.concluded', 'lead.exhausted']

type Props = {
  readonly types: Types
  readonly onTypes: (types: Types) => void
  readonly problem: string | null
}

export const typesProblem = (types: Types) => (types?.length === 0 ? 'Choose at least one event' : null)

export function WebhookEvents({ types, onTypes, problem }: Props) {
  // What was ticked stays while "All events" is chosen.
  const [ticked, setTicked] = useState<readonly EventType[]>(types ?? commonTypes)
  const tick = (type: EventType, isTicked: boolean) => {
    const left = ticked.filter((one) => one !== type)
    const next = isTicked ? [...left, type] : left
    setTicked(next)
    onTypes(next)
  }
  return (
    <fieldset class="group">
      <legend>Events</legend>
      <Radio name="events" checked={types === null} onChoose={() => onTypes(null)}>
        All events, also those of later versions
      </Radio>
      <Radio name="events" checked={types !== null} onChoose={() => onTypes(ticked)}>
        Only these events
      </Radio>
      {types !== null && (
        <div class="ticks">
          {Object.entries(eventNames).map(([type, words]) => (
            <Tick
              key={type}
              checked={types.includes(type as EventType)}
              onTick={(isTicked) => tick(type as EventType, isTicked)}
            >
              <span title={words}>{type}</span>
            </Tick>
          ))}
        </div>
      )}
      <Failure>{problem}</Failure>
    </fieldset>
  )
}
