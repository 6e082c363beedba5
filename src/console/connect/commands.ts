// Commands to paste into a shell, with this service's address, the campaign and a key filled in. Pure.

/** In place of a key that only its owner knows. */
export const anyKey = 'lk_...'

type Filled = { readonly origin: string; readonly campaignId: string; readonly key: string }

export const sendCommand = ({ origin, campaignId, key }: Filled) =>
  `curl -fsS --retry 5 --max-time 30 ${origin}/api/v1/leads \\
  -H ${shellQuoted(`x-api-key: ${key}`)} \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: form-8812' \\
  -d ${shellQuoted(`{"campaignId":${JSON.stringify(campaignId)},"phoneNumber":"+14155550123"}`)}`

export const pretendCommand = ({ origin, campaignId, key }: Filled) =>
  `LEAD_INTAKE_URL=${origin} LEAD_INTAKE_KEY=${key} \\
  npm run admin -- agent pretend --campaign ${shellQuoted(campaignId)}`

const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
