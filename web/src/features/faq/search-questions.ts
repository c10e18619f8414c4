import { type Facts, plainText } from '../../lib/rich-text.ts'
import { TOPICS, type Topic } from './questions.ts'

/** Topics with the entries whose question or answer contains the text, ignoring case; topics without any are left out. */
export function searchQuestions(query: string, facts: Facts): Topic[] {
  const wanted = query.trim().toLowerCase()
  const matches = (text: string) => plainText(text, facts).toLowerCase().includes(wanted)
  return TOPICS.map((topic) => ({
    ...topic,
    entries: topic.entries.filter(({ question, answer }) => matches(question) || answer.some(matches)),
  })).filter(({ entries }) => entries.length > 0)
}

/** The topic that an address names, by itself or by one of its questions; the first one otherwise. */
export function topicOf(topicId: string | null, entryId: string): Topic {
  const [first] = TOPICS
  if (!first) throw new Error('There are no topics')
  return TOPICS.find(({ entries }) => entries.some(({ id }) => id === entryId)) ?? TOPICS.find(({ id }) => id === topicId) ?? first
}
