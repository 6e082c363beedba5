// What an API key may do: the scope it was given, and which scopes have a right. Where a right is asked for is not
// decided here.

/**
 * `read` lists and reads; `write` does all that `read` does, creates, changes, and suppresses numbers; `agent` claims
 * leads and reports calls; `manage` does all that `write` and `agent` do, and what cannot be undone.
 */
export const keyScopes = ['read', 'write', 'agent', 'manage'] as const

export type Scope = (typeof keyScopes)[number]

/**
 * Which scopes have each right. `look` is for what every key may see: a single lead with its history, and a
 * campaign's settings. An agent's key does not list: a stolen one gives no list of people away.
 */
export const rights = {
  look: keyScopes,
  read: ['read', 'write', 'manage'],
  write: ['write', 'manage'],
  agent: ['agent', 'manage'],
  manage: ['manage'],
} as const satisfies Record<string, readonly Scope[]>

export type Right = keyof typeof rights

export function hasRight(scope: Scope, right: Right): boolean {
  return (rights[right] as readonly Scope[]).includes(scope)
}

export const rightsOf = (scope: Scope): readonly Right[] =>
  (Object.keys(rights) as Right[]).filter((right) => hasRight(scope, right))
