// Iterates over paged lists. Each page says where the next one begins.
import type { EventList, LeadIntakeEvent } from './models.ts'
import type { Ask, RequestOptions } from './send.ts'

/** Iterate with `for await`, item by item: pages are fetched as needed. */
export interface Pages<Page, Item> extends AsyncIterable<Item> {
  /** One page: the first, or the one at the cursor of the query. */
  page(): Promise<Page>
  /** Iterates page by page. */
  pages(): AsyncIterable<Page>
}

export interface EventPages extends Pages<EventList, LeadIntakeEvent> {
  /** The `after` to continue with: behind the last page that you read completely. Null before the first one. */
  readonly next: string | null
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never

/** `member`: holds the items. `nextOf`: what to add to the query for the next page; null after the last. */
export function pagesOf<Page extends object, Member extends keyof Page>(
  ask: Ask,
  path: string,
  query: object | undefined,
  options: RequestOptions | undefined,
  member: Member,
  nextOf: (page: Page) => object | null = ({ nextCursor }: { nextCursor?: string | null }) =>
    nextCursor ? { cursor: nextCursor } : null,
  [method, place]: readonly ['GET', 'query'] | readonly ['POST', 'body'] = ['GET', 'query'],
): Pages<Page, ItemOf<Page[Member]>> {
  const fetchPage = (after?: object) => ask<Page>(method, path, options, { [place]: { ...query, ...after } })
  async function* pages() {
    for (let after: object | null = {}; after !== null; ) {
      const page: Page = await fetchPage(after)
      yield page
      after = nextOf(page)
    }
  }
  return {
    page: () => fetchPage(),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page[member] as Iterable<ItemOf<Page[Member]>>
    },
  }
}
