// What the page does besides being read: opens what an address names, searches, chooses the language of the samples,
// copies. It asks nobody for anything. Sending requests is in try-it.js.

const root = document.documentElement
root.classList.add('scripted')

// The samples say where this very service is.
for (const code of document.querySelectorAll('pre code')) {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  while (texts.nextNode())
    texts.currentNode.data = texts.currentNode.data.replace('https://leads.example.com', location.origin)
}

const links = [...document.querySelectorAll('nav a')]
const targetOf = (link) => document.getElementById(link.hash.slice(1))

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target === null) return
  const operation = target.closest('.operation')
  if (operation !== null) operation.open = true
  target.scrollIntoView()
}

function markCurrent() {
  for (const link of links) {
    if (link.hash === location.hash) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}

function showAddressed() {
  openTarget()
  markCurrent()
}

addEventListener('hashchange', showAddressed)
showAddressed()

// The address names the operation that was opened last, to be sent to others.
for (const operation of document.querySelectorAll('.operation')) {
  operation.firstElementChild.addEventListener('click', () => {
    if (operation.open) return
    history.replaceState(null, '', `#${operation.id}`)
    markCurrent()
  })
}

const nav = document.getElementById('contents')
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
  // The address may name it already.
  if (link.hash === location.hash) openTarget()
})

const search = document.getElementById('search')
const found = search.parentElement.querySelector('p')
const texts = new Map(links.map((link) => [link, textOf(link)]))

/** What is looked through: an operation whole, of the guide what stands below the heading. */
function textOf(link) {
  const target = targetOf(link)
  const parts = [link.textContent, target.id, target.textContent]
  if (target.matches('.guide h2'))
    for (let next = target.nextElementSibling; next && next.tagName !== 'H2'; next = next.nextElementSibling)
      parts.push(next.textContent)
  return parts.join(' ').toLowerCase()
}

function showFound() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const [link, text] of texts) {
    const isFound = words.every((word) => text.includes(word))
    if (isFound && link.closest('li') !== null) count++
    ;(link.closest('li') ?? link.parentElement).hidden = !isFound && link.closest('li') !== null
  }
  for (const list of nav.querySelectorAll('ul')) {
    const isEmpty = [...list.children].every((item) => item.hidden)
    list.hidden = isEmpty
    list.previousElementSibling.hidden = isEmpty
  }
  found.textContent = words.length === 0 ? '' : count === 0 ? 'Nothing found' : `${count} found`
}

search.addEventListener('input', showFound)
search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') nav.querySelector('li:not([hidden]) a:not([hidden] *)')?.click()
  if (event.key !== 'Escape') return
  search.value = ''
  showFound()
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

// Only a page that came safely, or from this machine, may write to the clipboard.
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
