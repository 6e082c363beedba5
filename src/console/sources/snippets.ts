// What is pasted to post to a source: a form that works without a script, and a script.

const consentLine = (field: string | null) =>
  field === null
    ? ''
    : `  <label><input name="${escaped(field)}" type="checkbox" value="yes"> I agree to be called</label>\n`

export const htmlForm = (url: string, consentField: string | null, hasTurnstile: boolean) =>
  `<form method="post" action="${url}">
  <input name="name" placeholder="Name" autocomplete="name">
  <input name="phone" type="tel" placeholder="Phone" autocomplete="tel" required>
${consentLine(consentField)}  <input name="_gotcha" style="display: none" tabindex="-1" autocomplete="off">
${hasTurnstile ? '  <div class="cf-turnstile" data-sitekey="YOUR SITE KEY"></div>\n' : ''}  <button>Call me</button>
</form>${hasTurnstile ? '\n<script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async></script>' : ''}`

export const fetchCall = (url: string) =>
  `const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Ada', phone: 'YOUR NUMBER' }),
})
if (!answer.ok) throw new Error((await answer.json()).error)`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
