// The result of what a person did, shown beside it and read out by screen readers.
import type { ComponentChildren } from 'preact'
import type { Feedback } from '../service/answer.ts'

export function FeedbackLine({ feedback }: { readonly feedback: Feedback | null }) {
  return <Result isFailure={feedback?.isFailure}>{feedback?.text}</Result>
}

type Props = { readonly isFailure?: boolean | undefined; readonly children?: ComponentChildren }

/** Empty: nothing to say. It stays in the page, so that what comes is announced. */
export function Result({ isFailure = false, children }: Props) {
  return (
    <p role={isFailure ? 'alert' : 'status'} class={isFailure ? 'failure' : 'muted'}>
      {children}
    </p>
  )
}

export const Failure = ({ children }: Pick<Props, 'children'>) => <Result isFailure>{children}</Result>
