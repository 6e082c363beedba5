// Requests of the client with their results as values, for panels that show what they have beside what failed.
import { explain, LeadIntakeError, TemporaryError } from '../../sdk/src/errors.ts'
import type { Pages } from '../../sdk/src/paging.ts'

/** `status` 0: no answer arrived. `data` is null where there is an error. */
export type Answer<Data> = {
  readonly status: number
  readonly data: Data | null
  /** For people. */
  readonly error: string | null
  readonly retryAfterMs: number | null
}

export async function settle<Data>(request: Promise<Data>): Promise<Answer<Data>> {
  try {
    return { status: 200, data: await request, error: null, retryAfterMs: null }
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    const retryAfterMs = error instanceof TemporaryError ? error.retryAfterMs : null
    return { status: error.status, data: null, error: describeError(error), retryAfterMs }
  }
}

/** What to say of a result. */
export type Feedback = { readonly text: string; readonly isFailure: boolean }

/** `done`: where it succeeded. */
export const feedbackOf = ({ error }: Answer<unknown>, done: string): Feedback => ({
  text: error ?? done,
  isFailure: error !== null,
})

export const describeError = (error: LeadIntakeError) =>
  error.status === 0
    ? 'Cannot reach the service.'
    : error.code === 'unexpected_answer'
      ? `The service answered ${error.status}.`
      : explain(error)

/** What was read of a list: pages before a failure stay. */
type ReadPages<Page> = { readonly pages: readonly Page[]; readonly error: LeadIntakeError | null }

/** At most so many pages. */
export async function readPages<Page>(
  list: Pages<Page, unknown>,
  most: number,
  isLast: (page: Page) => boolean = () => false,
): Promise<ReadPages<Page>> {
  const read: Page[] = []
  try {
    for await (const page of list.pages()) if (read.push(page) === most || isLast(page)) break
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    return { pages: read, error }
  }
  return { pages: read, error: null }
}
