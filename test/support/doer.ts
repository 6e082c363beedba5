// Who does something in tests that speak to the store: as a request with this key would.

export const asKey = (keyId: string, nowMs: number) => ({ keyId, actor: keyId, requestId: null, nowMs })
