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

type PageOf<Page, Member> = {
  /** Holds the items. */
  readonly member: Member
  /** What to add to the query for the next page; null after the last. */
  readonly nextOf?: (page: Page) => object | null
  /** The query is the body of a POST. */
  readonly isPosted?: boolean
}

const byCursor = ({ nextCursor }: { readonly nextCursor?: string | null }) =>
  nextCursor ? { cursor: nextCursor } : null

export function pagesOf<Page extends object, Member extends keyof Page>(
  ask: Ask,
  path: string,
  query: object | undefined,
  options: RequestOptions | undefined,
  { member, nextOf = byCursor, isPosted = false }: PageOf<Page, Member>,
): Pages<Page, ItemOf<Page[Member]>> {
  const [method, place] = isPosted ? (['POST', 'body'] as const) : (['GET', 'query'] as const)
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
