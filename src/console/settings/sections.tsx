// Sections of settings, each with an address of its own, and the links between them.
import type { ComponentChildren } from 'preact'

const sectionNames = {
  hours: 'Hours',
  limits: 'Limits',
  outcomes: 'Outcomes',
  'do-not-call': 'Do-not-call',
  record: 'Number record',
  webhooks: 'Webhooks',
  people: 'People',
  activity: 'Activity',
  keys: 'Keys',
  access: 'Your access',
} as const
type Section = keyof typeof sectionNames

type Props = {
  readonly title: string
  /** The first is shown where the address names none. False: the key in use may not open it. */
  readonly sections: { readonly [name in Section]?: ComponentChildren }
  /** From the address. */
  readonly wanted: string | null
  readonly hashOf: (section: Section) => string
}

export function Sections({ title, sections, wanted, hashOf }: Props) {
  const names = (Object.keys(sections) as Section[]).filter((name) => sections[name] !== false)
  const current = names.find((name) => name === wanted) ?? names[0]
  return (
    <div class="settings">
      <h1>{title}</h1>
      <nav class="sections" aria-label="Sections">
        {names.map((name) => (
          <a key={name} href={hashOf(name)} aria-current={name === current ? 'page' : undefined}>
            {sectionNames[name]}
          </a>
        ))}
      </nav>
      <div class="stack" key={current}>
        {current !== undefined && sections[current]}
      </div>
    </div>
  )
}
