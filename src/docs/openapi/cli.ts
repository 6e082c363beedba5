// How the command line offers an operation: the member `x-cli` of the description, which src/admin/api reads. An
// operation without it has no command.

export type CliOption = {
  /** Instead of the member's own name: `lease` for `leaseSeconds`. */
  readonly name?: string
  /** Reads what a person writes: `mon-fri 09:00-17:00`, `5m`, `no_answer=retry:60`. */
  readonly reader?: 'hours' | 'duration' | 'outcome'
  /** Takes the value of another input, once a person has confirmed: there is no option. */
  readonly sameAs?: string
  /** What the option has when it is left out. */
  readonly default?: string
  /** What the word `default` stands for, where null is something else. */
  readonly resetsTo?: number | null
  /** There is no option. */
  readonly isLeftOut?: boolean
}

export type Cli = {
  readonly noun: string
  /** Several operations may have one name: the options that a person gives decide. */
  readonly verb: string
  /** What a person sees of each row of a list, or of the answer. All members when left out. */
  readonly columns?: readonly string[]
  /** CSV has the columns of the service's own. Those of `spread` are members of that member. */
  readonly csv?: { readonly columns: readonly string[]; readonly spread: string }
  /** Asks first, unless `--yes` is given. */
  readonly confirm?: boolean
  /** The member of the answer that is never shown again. */
  readonly secret?: string
  /** A repeated request would do it twice: it is not retried when there was no answer. */
  readonly once?: boolean
  /** The member that takes the words that follow the verb. Parameters of the path do without it. */
  readonly words?: string
  readonly options?: Readonly<Record<string, CliOption>>
}
