// Takes numbers out of metadata, JSON text, whose other values stay byte for byte as they were sent. Pure.
import { skipSpace, skipValue, walkArray, walkObject } from '../../json-source.ts'
import { numberOf } from '../../search-words.ts'

/** Without the members and elements that are one of these numbers, in any spelling with separators and at any depth. */
export function withoutNumbers(metadata: string, isGone: (phoneNumber: string) => boolean): string {
  return valueAt(skipSpace(metadata, 0)).text ?? 'null'

  /** `text` null: it is such a number. */
  function valueAt(start: number): { readonly end: number; readonly text: string | null } {
    const opening = metadata[start]
    if (opening !== '{' && opening !== '[') {
      const end = skipValue(metadata, start)
      const text = metadata.slice(start, end)
      const number = opening === '"' ? numberOf(JSON.parse(text) as string) : null
      return { end, text: number !== null && isGone(number) ? null : text }
    }
    const kept: string[] = []
    let isChanged = false
    const keep = (before: string, at: number) => {
      const { end, text } = valueAt(at)
      if (text !== null) kept.push(before + text)
      if (text !== metadata.slice(at, end)) isChanged = true
      return end
    }
    const end =
      opening === '{'
        ? walkObject(metadata, start, (name, at) => keep(`${JSON.stringify(name)}:`, at))
        : walkArray(metadata, start, (_, at) => keep('', at))
    if (!isChanged) return { end, text: metadata.slice(start, end) }
    return { end, text: opening === '{' ? `{${kept.join()}}` : `[${kept.join()}]` }
  }
}
