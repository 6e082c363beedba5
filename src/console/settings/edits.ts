// What somebody has typed over the polled values of a form. Only that is sent, so that what others change meanwhile
// stays, and every field that nobody touched follows the newest poll.
import { useState } from 'preact/hooks'

export type Edits<Values> = {
  /** As the form shows it. */
  readonly shown: Values
  /** What differs from what was polled. */
  readonly edited: Partial<Values>
  readonly isEdited: boolean
  readonly edit: (members: Partial<Values>) => void
  readonly undo: () => void
  /** Drops what was saved, and keeps what was typed while it was on its way. */
  readonly settle: (saved: Partial<Values>) => void
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Without the members that `other` has alike: a value typed back to what it was is no edit. */
export function without<Values extends object>(values: Partial<Values>, other: Partial<Values>) {
  const left = Object.entries(values).filter(
    ([name, value]) => !(name in other && isSame(value, other[name as keyof Values])),
  )
  return Object.fromEntries(left) as Partial<Values>
}

export function useEdits<Values extends object>(polled: Values): Edits<Values> {
  const [edited, setEdited] = useState<Partial<Values>>({})
  return {
    shown: { ...polled, ...edited },
    edited,
    isEdited: Object.keys(edited).length > 0,
    edit: (members) => setEdited((before) => without<Values>({ ...before, ...members }, polled)),
    undo: () => setEdited({}),
    settle: (saved) => setEdited((before) => without<Values>(before, saved)),
  }
}
