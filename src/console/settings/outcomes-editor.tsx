// What happens after each outcome of a call: done, gave up, or another attempt after some minutes.

import type { Campaign } from '../../sdk/src/models.ts'
import { statusNames } from '../ui/status-names.ts'
import type { EditorProps } from './editor-props.ts'
import { useEdits } from './edits.ts'
import { SaveLine } from './save-line.tsx'

type OutcomeClass = Campaign['outcomes']['answered']['class']
/** `minutes` null: not a number yet. */
type OutcomeRule = { readonly class: OutcomeClass; readonly minutes?: number | null }

const classes: Readonly<Record<OutcomeClass, string>> = {
  done: statusNames.concluded,
  dead: statusNames.exhausted,
  retry: 'Call again',
  appointment: 'Callback',
}
type Rules = Readonly<Record<string, OutcomeRule>>

const maxMinutes = 43_200

export function OutcomesEditor({ campaign, canChange, onSave }: EditorProps) {
  const { shown: rules, edited, isEdited, edit, undo, settle } = useEdits<Rules>(campaign.outcomes)
  const isWrong = Object.values(edited).some(
    (rule) =>
      rule?.class === 'retry' &&
      !(Number.isInteger(rule.minutes) && (rule.minutes ?? -1) >= 0 && (rule.minutes ?? 0) <= maxMinutes),
  )
  const change = (outcome: string, rule: OutcomeRule) => edit({ [outcome]: rule })
  const save = async () => {
    const error = await onSave({ outcomes: edited })
    if (error === null) settle(edited)
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
            <th scope="col">After (minutes)</th>
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
          isChanged={isEdited}
          problem={!isWrong ? null : `Minutes: a whole number from 0 to ${maxMinutes}.`}
          save={save}
          onReset={undo}
        />
      )}
    </section>
  )
}

function ruleOf(kind: string, { minutes }: OutcomeRule): OutcomeRule {
  return kind === 'retry' ? { class: 'retry', minutes: minutes ?? 60 } : { class: kind as OutcomeClass }
}
