// The behaviour of the page: opens the operation in the URL's hash, searches, switches the language of code samples,
// copies code. It sends no requests; try-it.js does.

const root = document.documentElement
root.classList.add('scripted')

// Code samples use the origin of this service.
for (const code of document.querySelectorAll('pre code')) {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  while (texts.nextNode())
    texts.currentNode.data = texts.currentNode.data.replace('https://leads.example.com', location.origin)
}

const nav = document.getElementById('contents')
const links = [...nav.querySelectorAll('a')]
const targetOf = (link) => document.getElementById(link.hash.slice(1))

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target === null) return
  const operation = target.closest('.operation')
  if (operation !== null) operation.open = true
  target.scrollIntoView()
}

function markCurrent() {
  for (const link of nav.querySelectorAll('a')) {
    if (link.hash === location.hash) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}

function showTarget() {
  openTarget()
  markCurrent()
}

addEventListener('hashchange', showTarget)
showTarget()

// Puts the operation that was opened last into the URL, so that it can be shared.
for (const operation of document.querySelectorAll('.operation')) {
  operation.firstElementChild.addEventListener('click', () => {
    if (operation.open) return
    history.replaceState(null, '', `#${operation.id}`)
    markCurrent()
  })
}

const menu = document.querySelector('.menu')

function showMenu(isOpen) {
  nav.classList.toggle('open', isOpen)
  menu.setAttribute('aria-expanded', String(isOpen))
}

menu.addEventListener('click', () => showMenu(!nav.classList.contains('open')))
nav.addEventListener('click', (event) => {
  const link = event.target.closest('a')
  if (link === null) return
  showMenu(false)
  // Without a change of the hash there is no event.
  if (link.hash === location.hash) openTarget()
})

const search = document.getElementById('search')
const status = search.parentElement.querySelector('p')
const contents = [...nav.children].filter((part) => !part.contains(search))
const results = document.createElement('ul')
results.id = 'results'
results.hidden = true
search.parentElement.after(results)

const places = links
  .filter((link) => link.closest('li') !== null)
  .map((link) => {
    const names = namesOf(link)
    const text = textOf(link)
    return { link, names, text, all: [...names, text.toLowerCase()].join(' ') }
  })

/** The names to search by: the text of the link; for an operation its summary, id and path. */
function namesOf(link) {
  const target = targetOf(link)
  const name = link.textContent.replace(/\s+/g, ' ').trim()
  const path = target.querySelector('summary code')?.textContent
  if (path === undefined) return [name, target.id].map((one) => one.toLowerCase())
  const [method] = name.split(' ')
  const summary = target.querySelector('h3').textContent
  return [summary, target.id, path, `${method} ${path}`].map((one) => one.toLowerCase())
}

/** The text to search in: a whole operation, or a chapter of the guide. */
function textOf(link) {
  const target = targetOf(link)
  const parts = target.matches('.guide h2') ? [] : [target.textContent]
  if (target.matches('.guide h2'))
    for (let next = target.nextElementSibling; next && next.tagName !== 'H2'; next = next.nextElementSibling)
      parts.push(next.textContent)
  return parts.join(' ').replace(/\s+/g, ' ').trim()
}

/** The text around the first of the words that is in it. */
function lineAround(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0)
  if (places.length === 0) return ''
  const from = Math.max(0, Math.min(...places) - 30)
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 90)}…`
}

/** Lower is better: exact name, beginning of the title, words in the title, words in names, words anywhere. */
function rankOf({ names }, query, words) {
  const [title] = names
  if (names.includes(query)) return 0
  if (title.startsWith(query)) return 1
  if (words.every((word) => title.includes(word))) return 2
  return words.every((word) => names.some((name) => name.includes(word))) ? 3 : 4
}

/** Shows the results in place of the contents, best first. */
function showResults() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  const isSearching = words.length > 0
  results.hidden = !isSearching
  for (const part of contents) part.hidden = isSearching
  const found = isSearching ? places.filter(({ all }) => words.every((word) => all.includes(word))) : []
  const ranked = found
    .map((place) => ({ place, rank: rankOf(place, words.join(' '), words) }))
    .sort((one, other) => one.rank - other.rank)
  results.replaceChildren(
    ...ranked.map(({ place }) => {
      const item = document.createElement('li')
      const line = document.createElement('p')
      line.textContent = lineAround(place.text, words)
      item.append(place.link.cloneNode(true), line)
      return item
    }),
  )
  status.textContent = !isSearching ? '' : found.length === 0 ? 'Nothing found' : `${found.length} found`
}

/** Had the focus before the search field got it. */
let before = null
search.addEventListener('focus', ({ relatedTarget }) => {
  before = relatedTarget
})
search.addEventListener('input', showResults)
search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') results.querySelector('a')?.click()
})
nav.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  event.preventDefault()
  search.value = ''
  showResults()
  showMenu(false)
  // The button is visible only where the contents are collapsed.
  if (menu.offsetParent !== null) menu.focus()
  else if (before?.isConnected && before !== search) before.focus()
  else document.activeElement.blur()
})
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return
  event.preventDefault()
  showMenu(true)
  search.focus()
})

const languageKey = 'lead-intake-docs-language'

function chooseLanguage(language) {
  root.dataset.language = language
  for (const button of document.querySelectorAll('button[data-language]'))
    button.setAttribute('aria-pressed', String(button.dataset.language === language))
}

for (const button of document.querySelectorAll('button[data-language]'))
  button.addEventListener('click', () => {
    localStorage.setItem(languageKey, button.dataset.language)
    chooseLanguage(button.dataset.language)
  })
const chosen = localStorage.getItem(languageKey)
if (document.querySelector(`button[data-language="${CSS.escape(chosen ?? '')}"]`)) chooseLanguage(chosen)

// Browsers allow the clipboard only over HTTPS and on localhost.
if (navigator.clipboard)
  for (const bar of document.querySelectorAll('div.bar')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      const blocks = [...bar.parentElement.querySelectorAll('pre')]
      await navigator.clipboard.writeText(blocks.find((block) => block.offsetParent).textContent)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    bar.append(button)
  }
