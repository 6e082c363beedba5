// Who must not be called, as names, answers and texts say it, in any spelling and nine languages: the one judge of
// files, posts, the API and dialers. Its words are in languages.ts. It fails closed: what smells of a no and is no
// clear yes to being called is `unclear`, never silence.
export { type Answer, answerOf, partSays, valueSays, wordAnswer } from './answers.ts'
export { type Heard, hear, isTagName } from './hear.ts'
export { type NameVerdict, nameSays, pathSays, type Under } from './names.ts'
