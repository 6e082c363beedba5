// The result of what a person did, shown beside it and read out by screen readers.

export type Feedback = { readonly text: string; readonly isFailure: boolean }

export function FeedbackLine({ feedback }: { readonly feedback: Feedback | null }) {
  return (
    <p role={feedback?.isFailure ? 'alert' : 'status'} class={feedback?.isFailure ? 'failure' : 'muted'}>
      {feedback?.text}
    </p>
  )
}
