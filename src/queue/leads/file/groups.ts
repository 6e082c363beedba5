// Rows of a file grouped by what is said of them, such as the cause of an error: how many there are, and the first.

/** `number`: as it is sent, where it is. */
export type GroupedRow = { readonly row: number; readonly value: string; readonly number?: string }

export type Group<Name extends string> = {
  readonly name: Name
  readonly count: number
  readonly first: readonly GroupedRow[]
}

const shownRows = 3

export function openGroups<Name extends string>() {
  const groups = new Map<Name, Group<Name>>()
  return {
    add(name: Name, row: GroupedRow): void {
      const { count, first } = groups.get(name) ?? { count: 0, first: [] }
      groups.set(name, { name, count: count + 1, first: count < shownRows ? [...first, row] : first })
    },
    /** The largest first. */
    all: (): readonly Group<Name>[] => [...groups.values()].sort((one, other) => other.count - one.count),
  }
}
