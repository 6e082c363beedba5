// The behaviour of the pages: opens the operation in the URL's hash, searches, switches the language of code samples,
// copies code. It loads search.js and its index at the first key press; try-it.js sends requests.

const root = document.documentElement
root.classList.add('scripted')

// Code samples use the origin of this service.
for (const code of document.querySelectorAll('pre code')) {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  while (texts.nextNode())
    texts.currentNode.data = texts.currentNode.data.replace('https://leads.example.com', location.origin)
}

const nav = document.getElementById('contents')
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target === null) return
  for (let part = target.closest('details'); part !== null; part = part.parentElement.closest('details'))
    part.open = true
  target.scrollIntoView()
}

// Long lists that several operations have are on the page once. Elsewhere is a link, in whose place the list is shown.
function showLists(part) {
  const isShown = (link) => link.closest('details') === part
  for (;;) {
    const same = [...part.querySelectorAll('.same')].find(isShown)
    if (same === undefined) return
    const list = document.getElementById(same.querySelector('a').hash.slice(1)).cloneNode(true)
    for (const one of [list, ...list.querySelectorAll('[id]')]) one.removeAttribute('id')
    same.replaceWith(list)
  }
}
// Before what opens the target of the address.
addEventListener('toggle', ({ target }) => target.open && showLists(target), true)

function markCurrent() {
  for (const link of nav.querySelectorAll('a[href^="#"]')) {
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
  if (link.pathname === location.pathname && link.hash === location.hash) openTarget()
})

const search = document.getElementById('search')
const status = search.parentElement.querySelector('p')
const contents = [...nav.children].filter((part) => !part.contains(search))
const results = document.createElement('ul')
results.id = 'results'
results.hidden = true
search.parentElement.after(results)

/** Finds what a query names, once both files are loaded. */
let finding = null

async function loadSearch() {
  const [{ openSearch }, answer] = await Promise.all([import('/docs/search.js'), fetch('/docs/search.json')])
  if (!answer.ok) throw new Error(`search.json: ${answer.status}`)
  return openSearch(await answer.text())
}

/** Shows the results in place of the contents, best first. */
async function showResults() {
  let find = () => []
  if (search.value.trim() !== '')
    try {
      finding ??= loadSearch()
      find = await finding
    } catch {
      finding = null
      status.textContent = 'The search could not be loaded. Try again.'
      return
    }
  // Also what was typed meanwhile.
  const query = search.value.trim()
  const isSearching = query !== ''
  const found = find(query)
  results.hidden = !isSearching
  for (const part of contents) part.hidden = isSearching
  results.replaceChildren(...found.map(resultOf))
  status.textContent = !isSearching ? '' : found.length === 0 ? 'Nothing found' : `${found.length} found`
}

function resultOf({ id, title, method, line }) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = id
  if (method !== '') {
    const badge = document.createElement('span')
    badge.className = `method ${method}`
    badge.textContent = method.toUpperCase()
    link.append(badge, ' ')
  }
  link.append(title)
  const text = document.createElement('p')
  text.textContent = line
  item.append(link, text)
  return item
}

/** Had the focus before the search field got it. */
let before = null
search.addEventListener('focus', ({ relatedTarget }) => {
  before = relatedTarget
})
search.addEventListener('input', showResults)
search.addEventListener('keydown', async (event) => {
  if (event.key !== 'Enter') return
  await showResults()
  results.querySelector('a')?.click()
})
nav.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  event.preventDefault()
  search.value = ''
  void showResults()
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
