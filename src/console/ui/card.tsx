// A part of a page with its title, and what cards show: facts, states and the status of a lead.
import type { ComponentChildren } from 'preact'
import type { LeadStatus } from '../../sdk/src/models.ts'
import { Button } from './controls.tsx'
import { statusNames } from './words/status-names.ts'

type CardProps = {
  readonly title: string
  /** Behind the title. */
  readonly note?: ComponentChildren
  readonly class?: string
  readonly isMain?: boolean
  /** Beside the title. */
  readonly side?: ComponentChildren
  /** A button behind that, which opens a form. False: not shown. */
  readonly add?: readonly [text: string, onAdd: () => void] | false
  readonly children: ComponentChildren
}

export function Card({ title, note, class: name = '', isMain = false, side, add, children }: CardProps) {
  const Heading = isMain ? 'h1' : 'h2'
  return (
    <section class={`card ${name}`} aria-label={title}>
      <div class="card-head">
        <Heading>
          {title} {note}
        </Heading>
        {add === undefined ? (
          side
        ) : (
          <div class="line">
            {side}
            {add && (
              <Button class="primary" onClick={add[1]}>
                {add[0]}
              </Button>
            )}
          </div>
        )}
      </div>
      {children}
    </section>
  )
}

export type Fact = readonly [name: ComponentChildren, value: ComponentChildren]

type FactsProps = {
  /** Large numbers, a line, or a list. */
  readonly kind: 'totals' | 'facts' | 'fields' | 'fields recipe'
  /** False: not shown. */
  readonly facts: readonly (Fact | false)[]
}

export const Facts = ({ kind, facts }: FactsProps) => (
  <dl class={kind}>
    {facts.map(
      (fact, index) =>
        fact && (
          <div key={index}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
    )}
  </dl>
)

type StateProps = {
  readonly tone: 'good' | 'calm' | 'wait' | 'act'
  readonly children: ComponentChildren
}

/** A state in a sentence, with a dot in its colour. */
export const StateLine = ({ tone, children }: StateProps) => (
  <p class={`state ${tone}`}>
    <span class="dot" aria-hidden="true" />
    {children}
  </p>
)

type TagProps = { readonly status: LeadStatus; readonly isSuppressed?: boolean }

export const StatusTag = ({ status, isSuppressed = false }: TagProps) => (
  <span class={`tag ${isSuppressed ? 'exhausted' : status}`} title={status}>
    {isSuppressed ? 'Do not call' : statusNames[status]}
  </span>
)
