// What an API key may do.

/** `read` lists and reads; `write` does all that `read` does, and creates. */
export const keyScopes = ['read', 'write'] as const

export type Scope = (typeof keyScopes)[number]

/** Whether a key of one scope may do what another asks for. */
export function mayDo(scope: Scope, asked: Scope): boolean {
  return asked === 'read' || scope === 'write'
}
