// What became of what somebody did: said beside it, and to who does not see it.

export type Told = { readonly text: string; readonly isFault: boolean }

export function ToldLine({ told }: { readonly told: Told | null }) {
  return (
    <p role={told?.isFault ? 'alert' : 'status'} class={told?.isFault ? 'fault' : 'muted'}>
      {told?.text}
    </p>
  )
}
