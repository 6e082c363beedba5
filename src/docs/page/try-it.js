// Sends an operation for real, to this origin, with what was typed, and shows the answer. The key is kept for as long
// as the tab is open, and goes nowhere else.

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
    const answer = part.querySelector('.answer')
    await send(answer, requestOf(part, form, body))
    answer.scrollIntoView({ block: 'nearest' })
    button.disabled = false
  })
}

function requestOf({ dataset: { method, path } }, form, body) {
  const filled = [...form.querySelectorAll('[data-in]')].filter((input) => input.value !== '')
  const of = (place) => filled.filter((input) => input.dataset.in === place)
  const where = of('path').reduce(
    (url, { name, value }) => url.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const query = new URLSearchParams(of('query').map(({ name, value }) => [name, value]))
  const headers = new Headers(of('header').map(({ name, value }) => [name, value]))
  const key = form.querySelector('.key')?.value.trim()
  if (key) headers.set('x-api-key', key)
  if (body) headers.set('Content-Type', 'application/json')
  return {
    url: query.size > 0 ? `${where}?${query}` : where,
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
      block(written(text), 'Answer'),
      folded(
        'Headers',
        block([...response.headers].map((header) => header.join(': ')).join('\n'), 'Headers'),
      ),
    )
    remember(text)
  } catch {
    place.replaceChildren(element('p', 'No answer: the service cannot be reached, or this cannot be sent.'))
  }
}

function written(text) {
  const json = parsed(text)
  const whole = json === undefined ? text : JSON.stringify(json, null, 2)
  return whole.length > maxShownChars ? `${whole.slice(0, maxShownChars)}\n… and so on` : whole
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An id that an answer told goes where the path of another operation asks for it. */
function remember(text) {
  const data = parsed(text)?.data ?? {}
  const told = {
    ...data,
    leadId: data.leadId ?? data.createdIds?.[0] ?? data.lead?._id ?? data.leads?.[0]?._id,
  }
  for (const input of document.querySelectorAll('.try [data-in=path]'))
    if (input.value === '' && typeof told[input.name] === 'string') input.value = told[input.name]
}

function block(text, label) {
  const pre = element('pre', text)
  pre.tabIndex = 0
  pre.setAttribute('aria-label', label)
  return pre
}

function folded(title, content) {
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
