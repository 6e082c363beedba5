// Lists that come in pages, walked as if they were whole. Which page follows is told by the page before.
import type { EventList, LeadIntakeEvent } from './models.ts'
import type { Ask, RequestOptions } from './send.ts'

/** Walked with `for await`, item by item: pages are fetched as they are needed. */
export interface Pages<Page, Item> extends AsyncIterable<Item> {
  /** One page: the first, or the one that the query names. */
  page(): Promise<Page>
  /** Page by page. */
  pages(): AsyncIterable<Page>
}

/** Events, which go on. */
export interface EventPages extends Pages<EventList, LeadIntakeEvent> {
  /** Behind the last page of which you have taken every event: the `after` to go on with. Null before there is one. */
  readonly next: string | null
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never

/** `member`: where the items stand. `nextOf`: what to add to the query for the page that follows; null after the last. */
export function pagesOf<Page extends object, Member extends keyof Page>(
  ask: Ask,
  path: string,
  query: object | undefined,
  options: RequestOptions | undefined,
  member: Member,
  nextOf: (page: Page) => object | null = ({ nextCursor }: { nextCursor?: string | null }) =>
    nextCursor ? { cursor: nextCursor } : null,
): Pages<Page, ItemOf<Page[Member]>> {
  const fetchPage = (after?: object) => ask<Page>('GET', path, options, { query: { ...query, ...after } })
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
