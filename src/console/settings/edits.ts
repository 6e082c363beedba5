// Unsaved edits of a form whose values are polled. Only edits are sent, so that changes by other people stay, and
// fields without edits follow the newest poll.
import { useState } from 'preact/hooks'

export type Edits<Values> = {
  /** The values that the form shows. */
  readonly shown: Values
  /** The values that differ from the polled ones. */
  readonly edited: Partial<Values>
  readonly isEdited: boolean
  readonly edit: (members: Partial<Values>) => void
  readonly undo: () => void
  /** Drops edits that were saved, and keeps those made while saving. */
  readonly settle: (saved: Partial<Values>) => void
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Without the members that are the same in `other`: a value changed back is no edit. */
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
