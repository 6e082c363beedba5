// Keys that were created or rotated in this tab, so that Connect can fill them in: in memory only, until the session ends.

const created = new Map<string, string>()

export const rememberNewKey = (keyId: string, key: string): void => void created.set(keyId, key)

/** Null: only its owner knows it. */
export const newKeyOf = (keyId: string): string | null => created.get(keyId) ?? null

export const newestKeyId = (): string | null => [...created.keys()].at(-1) ?? null

export const forgetNewKeys = (): void => created.clear()
