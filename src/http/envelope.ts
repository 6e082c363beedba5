// The envelope of every JSON answer (D1): the only place that spells success, data and error.

export type Envelope<Data> = { success: boolean; data: Data | null; error: string | null }

export function success<Data>(data: Data): Envelope<Data> {
  return { success: true, data, error: null }
}

/** `data` is null but for a failed health check, which still tells what it saw (D28). */
export function failure<Data>(error: string, data: Data | null = null): Envelope<Data> {
  return { success: false, data, error }
}

/** The text before and after `data` in a success that is written as text. */
export const successParts = { before: '{"success":true,"data":', after: ',"error":null}' } as const

/** A success around data that is JSON text already. */
export const successText = (dataJson: string) => successParts.before + dataJson + successParts.after
