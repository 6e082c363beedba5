// What follows from each outcome of a call: done, dead, or tried again after some minutes.
import { useState } from 'preact/hooks'
import type { EditorProps } from './editor-props.ts'
import { SaveLine } from './save-line.tsx'
import type { OutcomeClass, OutcomeRule } from './wire.ts'

const classes: Readonly<Record<OutcomeClass, string>> = {
  done: 'Concluded',
  dead: 'Exhausted',
  retry: 'Try again',
  appointment: 'Appointment',
}
const maxMinutes = 43_200

export function OutcomesEditor({ campaign, canChange, onSave }: EditorProps) {
  const [changes, setChanges] = useState<Readonly<Record<string, OutcomeRule>>>({})
  const rules = { ...campaign.outcomes, ...changes }
  const wrong = Object.entries(changes).find(
    ([, { class: kind, minutes }]) =>
      kind === 'retry' &&
      !(Number.isInteger(minutes) && (minutes ?? -1) >= 0 && (minutes ?? 0) <= maxMinutes),
  )
  const change = (outcome: string, rule: OutcomeRule) =>
    setChanges((before) => ({ ...before, [outcome]: rule }))
  const save = async () => {
    const error = await onSave({ outcomes: changes })
    if (error === null) setChanges({})
    return error
  }
  return (
    <section class="card" aria-labelledby="outcomes-title">
      <h2 id="outcomes-title">Outcomes</h2>
      <table class="data outcomes">
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Then</th>
            <th scope="col">After minutes</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(rules).map(([outcome, rule]) => {
            const name = outcome.replaceAll('_', ' ')
            const isFixed = !canChange || rule.class === 'appointment' || outcome === 'do_not_call'
            return (
              <tr key={outcome}>
                <th scope="row">{name}</th>
                <td>
                  {isFixed ? (
                    classes[rule.class]
                  ) : (
                    <select
                      aria-label={`After ${name}`}
                      value={rule.class}
                      onChange={({ currentTarget }) => change(outcome, ruleOf(currentTarget.value, rule))}
                    >
                      {(['done', 'dead', 'retry'] as const).map((kind) => (
                        <option key={kind} value={kind}>
                          {classes[kind]}
                        </option>
                      ))}
                    </select>
                  )}
                </td>
                <td>
                  {rule.class !== 'retry' ? null : isFixed ? (
                    rule.minutes
                  ) : (
                    <input
                      inputMode="numeric"
                      aria-label={`Minutes after ${name}`}
                      value={String(rule.minutes ?? '')}
                      onInput={({ currentTarget: { value } }) =>
                        change(outcome, {
                          class: 'retry',
                          minutes: /^\d{1,5}$/.test(value) ? Number(value) : null,
                        })
                      }
                    />
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {canChange && (
        <SaveLine
          isChanged={Object.keys(changes).length > 0}
          problem={wrong === undefined ? null : `Minutes are a whole number from 0 to ${maxMinutes}.`}
          save={save}
          onReset={() => setChanges({})}
        />
      )}
    </section>
  )
}

function ruleOf(kind: string, { minutes }: OutcomeRule): OutcomeRule {
  return kind === 'retry' ? { class: 'retry', minutes: minutes ?? 60 } : { class: kind as OutcomeClass }
}
