// Why a post is refused, and what other posts count as that are not stored. Pure.

/** In the words of the API: `code` is that of an answer. No value of the post is in it. */
export type PostProblem = { readonly code: string; readonly message: string }

/** Codes of uses of a source's key: posts that are neither stored nor refused. */
export const otherPosts: readonly string[] = ['lead_exists', 'number_suppressed', 'honeypot']
