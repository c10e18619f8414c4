import { type Facts, plainText } from '../../lib/rich-text.ts'
import { type Entry, TOPICS, type Topic } from './questions.ts'

/**
 * Topics with the entries whose question or answer contains the text, ignoring case; topics without any are left out.
 * `texts` are the brand's own: one named `faq.<entry>` is that entry's answer.
 */
export function searchQuestions(query: string, facts: Facts, texts: Readonly<Record<string, string>> = {}): Topic[] {
  const wanted = query.trim().toLowerCase()
  const contains = (text: string) => text.toLowerCase().includes(wanted)
  const answers = ({ id, answer }: Entry) =>
    texts[`faq.${id}`] ? [texts[`faq.${id}`] ?? ''] : answer.map((text) => plainText(text, facts))
  return TOPICS.map((topic) => ({
    ...topic,
    entries: topic.entries.filter((entry) => contains(entry.question) || answers(entry).some(contains)),
  })).filter(({ entries }) => entries.length > 0)
}

/** The topic that an address names, by itself or by one of its questions; the first one otherwise. */
export function topicOf(topicId: string | null, entryId: string): Topic {
  const [first] = TOPICS
  if (!first) throw new Error('There are no topics')
  return TOPICS.find(({ entries }) => entries.some(({ id }) => id === entryId)) ?? TOPICS.find(({ id }) => id === topicId) ?? first
}
