// Phone numbers out of whatever text they stand in: a list, a column, a whole CSV file.

/** Each once. `wrong`: parts that look like numbers and are not E.164; they are never repaired. */
export function readNumbers(text: string): { readonly numbers: readonly string[]; readonly wrong: number } {
  const numbers = new Set<string>()
  let wrong = 0
  for (const part of text.split(/[,;|\s"']+/)) {
    if (/^\+[1-9]\d{6,14}$/.test(part)) numbers.add(part)
    else if (/^[+(]?\d[\d()./-]{5,}$/.test(part)) wrong++
  }
  return { numbers: [...numbers], wrong }
}
