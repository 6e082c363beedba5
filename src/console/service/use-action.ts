// What a person starts, such as saving a form: one request at a time, and what came of the last one.
import { useState } from 'preact/hooks'
import { type Answer, type Feedback, feedbackOf, settle } from './answer.ts'

export function useAction() {
  const [isBusy, setIsBusy] = useState(false)
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  /** `done`: what to say when it succeeds. Nothing is sent while another one runs. */
  const run = async <Data>(request: () => Promise<Data>, done = ''): Promise<Answer<Data>> => {
    if (isBusy) return { status: 0, data: null, error: 'Another request is running.', retryAfterMs: null }
    setIsBusy(true)
    const answer = await settle(request())
    setIsBusy(false)
    setFeedback(feedbackOf(answer, done))
    return answer
  }
  return { isBusy, feedback, run, setFeedback }
}
