// Asks for many things at once, but not for so many that one waits for the others until a time limit of the service
// runs out. The results are in the order of the input.

const width = 8

export async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
