// The scopes of API keys, and the rights of each scope. index.ts says which right an endpoint needs.

/**
 * `read` lists and reads; `write` does all that `read` does, creates, changes, and suppresses numbers; `agent` claims
 * leads and reports calls; `manage` does all that `write` and `agent` do, and what cannot be undone.
 */
export const keyScopes = ['read', 'write', 'agent', 'manage'] as const

export type Scope = (typeof keyScopes)[number]

/** Those of people who sign in to the console: nobody works as an agent there. */
export const memberScopes = ['read', 'write', 'manage'] as const satisfies readonly Scope[]

export type MemberScope = (typeof memberScopes)[number]

/** An operator's key has none of them: its one right is `operate`, which no other key has. */
export type KeyScope = Scope | 'operator'

/**
 * The scopes that have each right. `look` is what every key may see: a single lead with its history, and a campaign's
 * settings. An agent's key cannot list leads, so that a stolen one reveals no list of people.
 */
export const rights = {
  look: keyScopes,
  read: ['read', 'write', 'manage'],
  write: ['write', 'manage'],
  agent: ['agent', 'manage'],
  manage: ['manage'],
} as const satisfies Record<string, readonly Scope[]>

export type Right = keyof typeof rights

export const scopesWith = (right: Right): readonly Scope[] => rights[right]

export function hasRight(scope: KeyScope, right: Right | 'operate'): boolean {
  if (right === 'operate') return scope === 'operator'
  return scopesWith(right).some((one) => one === scope)
}

/** Whether a key of this scope may create one of the other: every right of it is its own. */
export const includesScope = (scope: Scope, other: Scope): boolean =>
  rightsOf(other).every((right) => hasRight(scope, right))

export const rightsOf = (scope: Scope): readonly Right[] =>
  (Object.keys(rights) as Right[]).filter((right) => hasRight(scope, right))
