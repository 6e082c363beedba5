// What an API key may do.

/** `read` lists and reads; `write` does all that `read` does, and creates. */
export const keyScopes = ['read', 'write'] as const

export type Scope = (typeof keyScopes)[number]
