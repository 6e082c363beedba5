// What happens after each outcome of a call: done, gave up, or another attempt after some minutes.

import { settingRanges } from '../../queue/campaigns/settings.ts'
import type { Campaign } from '../../sdk/src/models.ts'
import { sentenceCase } from '../leads/lead-words.ts'
import { Select } from '../ui/fields/select.tsx'
import { counted } from '../ui/words/number-words.ts'
import { statusNames } from '../ui/words/status-names.ts'
import { useEdits } from './edits.ts'
import { type EditorProps, SettingsForm } from './settings-form.tsx'

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

const { min, max } = settingRanges.outcomeMinutes

export function OutcomesEditor({ campaign, canChange, onSave }: EditorProps) {
  const edits = useEdits<Rules>(campaign.outcomes)
  const { shown: rules, edited, edit } = edits
  const isRuleWrong = (rule: OutcomeRule | undefined) =>
    rule?.class === 'retry' && (rule.minutes ?? Infinity) > max
  const change = (outcome: string, rule: OutcomeRule) => edit({ [outcome]: rule })
  return (
    <SettingsForm
      title="Outcomes"
      canChange={canChange}
      edits={edits}
      isWrong={Object.values(edited).some(isRuleWrong)}
      changeOf={(outcomes) => ({ outcomes })}
      onSave={onSave}
    >
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
            const name = sentenceCase(outcome)
            const isWrong = edited[outcome] !== undefined && isRuleWrong(rule)
            const isFixed = !canChange || rule.class === 'appointment' || outcome === 'do_not_call'
            return (
              <tr key={outcome}>
                <th scope="row">{name}</th>
                <td>
                  {isFixed ? (
                    classes[rule.class]
                  ) : (
                    <Select
                      aria-label={`After: ${name}`}
                      value={rule.class}
                      options={(['done', 'dead', 'retry'] as const).map((kind) => [kind, classes[kind]])}
                      onChoose={(kind) => change(outcome, ruleOf(kind, rule))}
                    />
                  )}
                </td>
                <td>
                  {rule.class !== 'retry' ? null : isFixed ? (
                    rule.minutes
                  ) : (
                    <>
                      <input
                        inputMode="numeric"
                        aria-label={`Minutes after: ${name}`}
                        aria-invalid={isWrong}
                        aria-describedby={`${outcome}-problem`}
                        value={String(rule.minutes ?? '')}
                        onInput={({ currentTarget: { value } }) =>
                          change(outcome, {
                            class: 'retry',
                            minutes: /^\d{1,5}$/.test(value) ? Number(value) : null,
                          })
                        }
                      />
                      <span id={`${outcome}-problem`} class="failure small">
                        {isWrong && `Enter a whole number from ${min} to ${counted(max)}`}
                      </span>
                    </>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </SettingsForm>
  )
}

function ruleOf(kind: string, { minutes }: OutcomeRule): OutcomeRule {
  return kind === 'retry' ? { class: 'retry', minutes: minutes ?? 60 } : { class: kind as OutcomeClass }
}
