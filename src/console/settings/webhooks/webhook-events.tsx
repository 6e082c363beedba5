// Which events a webhook gets: all, or those of some types.
import { useState } from 'preact/hooks'
import type { EventType } from '../../../sdk/src/models.ts'
import { Tick } from '../../ui/controls.tsx'
import { Failure } from '../../ui/feedback.tsx'
import { Radio } from '../../ui/fields/select.tsx'
import { eventNames } from './event-names.ts'

/** Null: every type that the key may see, and those of later versions too. */
export type Types = readonly EventType[] | null

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
