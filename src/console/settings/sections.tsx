// Sections of settings, each with an address of its own, and the links between them.
import type { ComponentChildren } from 'preact'

const sectionNames = {
  hours: 'Hours',
  limits: 'Limits',
  outcomes: 'Outcomes',
  'do-not-call': 'Do-not-call',
  webhooks: 'Webhooks',
  keys: 'Keys',
  access: 'Your access',
} as const
export type Section = keyof typeof sectionNames

type Props = {
  readonly title: string
  /** In their order; the first is shown where the address names none. */
  readonly sections: readonly Section[]
  /** From the address. */
  readonly wanted: string | null
  readonly hashOf: (section: Section) => string
  readonly children: (section: Section) => ComponentChildren
}

export function Sections({ title, sections, wanted, hashOf, children }: Props) {
  const current = sections.find((section) => section === wanted) ?? sections[0]
  return (
    <div class="settings">
      <h1>{title}</h1>
      <nav class="sections" aria-label="Sections">
        {sections.map((section) => (
          <a key={section} href={hashOf(section)} aria-current={section === current ? 'page' : undefined}>
            {sectionNames[section]}
          </a>
        ))}
      </nav>
      <div class="section">{current !== undefined && children(current)}</div>
    </div>
  )
}

/** Without those that the key in use may not open. */
export const sectionsOf = (...sections: readonly (Section | false)[]): readonly Section[] =>
  sections.filter((section) => section !== false)
