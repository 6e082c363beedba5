// Sends the request of a form to this origin and shows the response. The key is kept in the tab's session storage, and
// is sent nowhere else.

const keyName = 'lead-intake-docs-key'
const maxShownChars = 200_000
const keys = [...document.querySelectorAll('.try .key')]

for (const input of keys) {
  input.value = sessionStorage.getItem(keyName) ?? ''
  input.addEventListener('input', () => {
    sessionStorage.setItem(keyName, input.value.trim())
    for (const other of keys) other.value = input.value
  })
}

for (const part of document.querySelectorAll('.try')) {
  const form = part.querySelector('form')
  const body = form.querySelector('.body')
  form.querySelector('.example')?.addEventListener('change', (event) => {
    body.value = event.target.value
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = form.querySelector('[type=submit]')
    button.disabled = true
    const output = part.querySelector('.answer')
    await send(output, requestOf(part, form, body))
    output.scrollIntoView({ block: 'nearest' })
    button.disabled = false
  })
}

function requestOf({ dataset: { method, path } }, form, body) {
  const filled = [...form.querySelectorAll('[data-in]')].filter((input) => input.value !== '')
  const of = (place) => filled.filter((input) => input.dataset.in === place)
  const url = of('path').reduce(
    (whole, { name, value }) => whole.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const query = new URLSearchParams(of('query').map(({ name, value }) => [name, value]))
  const headers = new Headers(of('header').map(({ name, value }) => [name, value]))
  const key = form.querySelector('.key')?.value.trim()
  if (key) headers.set('x-api-key', key)
  if (body) headers.set('Content-Type', 'application/json')
  return {
    url: query.size > 0 ? `${url}?${query}` : url,
    init: { method: method.toUpperCase(), headers, body: body?.value },
  }
}

async function send(place, { url, init }) {
  place.replaceChildren(element('p', 'Sending …'))
  const startedAtMs = performance.now()
  try {
    const response = await fetch(url, init)
    const text = await response.text()
    const tookMs = Math.round(performance.now() - startedAtMs)
    place.replaceChildren(
      element('p', `${init.method} ${url}: ${response.status} in ${tookMs} ms`),
      block(formatted(text), 'Response'),
      collapsed(
        'Headers',
        block([...response.headers].map((header) => header.join(': ')).join('\n'), 'Headers'),
      ),
    )
    fillIds(text)
  } catch {
    place.replaceChildren(
      element('p', 'No response: the service cannot be reached, or the browser cannot send this request.'),
    )
  }
}

function formatted(text) {
  const json = parsed(text)
  const whole = json === undefined ? text : JSON.stringify(json, null, 2)
  return whole.length > maxShownChars ? `${whole.slice(0, maxShownChars)}\n… (truncated)` : whole
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Fills ids of a response into the path parameters of other forms. */
function fillIds(text) {
  const data = parsed(text)?.data ?? {}
  const ids = {
    ...data,
    leadId: data.leadId ?? data.createdIds?.[0] ?? data.lead?._id ?? data.leads?.[0]?._id,
  }
  for (const input of document.querySelectorAll('.try [data-in=path]'))
    if (input.value === '' && typeof ids[input.name] === 'string') input.value = ids[input.name]
}

function block(text, label) {
  const pre = element('pre', text)
  pre.tabIndex = 0
  pre.setAttribute('aria-label', label)
  return pre
}

function collapsed(title, content) {
  const details = element('details', '')
  details.className = 'members'
  details.append(element('summary', title), content)
  return details
}

function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
