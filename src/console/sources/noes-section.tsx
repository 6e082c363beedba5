// What a source hears of people who must not be called: the names that say nothing, in red, and what a refused question
// does.
import type { ChangeSource, Source } from '../../sdk/src/models.ts'
import { Button } from '../ui/controls.tsx'
import { Select } from '../ui/fields/select.tsx'

type Props = { readonly source: Source; readonly onChange: (change: ChangeSource) => unknown }

export function NoesSection({ source, onChange }: Props) {
  const { notDoNotCall, permissions, lastNames } = source
  const others = [...new Set(lastNames)].filter((name) => name !== '(hidden)' && !notDoNotCall.includes(name))
  return (
    <section class="group" aria-label="Who must not be called">
      <h3>Who must not be called</h3>
      <p class="muted small">
        A post that says do not call, in any words, makes no lead: its numbers are suppressed in this
        campaign. <a href="/docs/connect/sources#who-must-not-be-called">What is heard</a>
      </p>
      <div class="line">
        <Select
          label="A no to “May we call you?”"
          value={permissions}
          options={[
            ['keep', 'A lead without a consent'],
            ['suppress', 'Do not call'],
          ]}
          onChoose={(chosen) => onChange({ permissions: chosen as Source['permissions'] })}
        />
        {others.length > 0 && (
          <Select
            label="A name that says nothing of calls"
            value=""
            options={[['', 'Choose a name…'], ...others.map((name) => [name, name] as const)]}
            onChoose={(name) => name !== '' && onChange({ notDoNotCall: [...notDoNotCall, name] })}
          />
        )}
      </div>
      {notDoNotCall.map((name) => (
        <div key={name} class="line">
          <p class="failure">Nothing is heard under “{name}”: nobody is held back by it.</p>
          <Button
            class="link"
            onClick={() => onChange({ notDoNotCall: notDoNotCall.filter((one) => one !== name) })}
          >
            Hear {name} again
          </Button>
        </div>
      ))}
    </section>
  )
}
