// Copies as RPC and storage do. Texts stay the ones they are: SQLite knows a statement by its text.

export function cloneOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function' || typeof value === 'symbol')
      throw new DOMException('could not be cloned', 'DataCloneError')
    return value
  }
  if (Array.isArray(value)) return value.map(cloneOf) as Value
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value)
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) copy[name] = cloneOf((value as Record<string, unknown>)[name])
  return copy as Value
}
