import { Phone } from 'lucide-react'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { useFacts } from '../../brand/facts.ts'
import { Prose } from '../../brand/Prose.tsx'
import { countNoun } from '../../lib/format/people.ts'
import { paths, telephone } from '../../lib/paths.ts'
import { useLocation, useSearchParams } from '../../lib/router.ts'
import { useHashTarget } from '../../lib/use-hash-target.ts'
import { ButtonAnchor, ButtonLink, LinkButton } from '../../ui/Button.tsx'
import { FindBar } from '../../ui/FindBar.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Questions } from '../../ui/Questions.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import styles from './FaqPage.module.css'
import { type Entry, TOPICS } from './questions.ts'
import { searchQuestions, topicOf } from './search-questions.ts'

/** `?topic=` names the tab, `?q=` a search, `#` a question: each view has an address. */
export function FaqPage() {
  const [query, setQuery] = useSearchParams()
  const { hash } = useLocation()
  useHashTarget()
  const wanted = query.get('q')?.trim() ?? ''
  const entryId = hash.slice(1)
  const topic = topicOf(query.get('topic'), entryId)

  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead title="Questions and answers">Thirty of them, in plain words. If yours is missing, a person answers.</PageHead>
      <FindBar
        wide
        label="Search the questions"
        placeholder="Search, for example refund or passport"
        query={wanted}
        onSearch={(q) => setQuery(q ? { q } : {})}
      />
      {wanted ? (
        <Found query={wanted} onClear={() => setQuery({})} />
      ) : (
        <div className={styles.tabs}>
          <Tabs
            label="Topics"
            value={topic.id}
            onChange={(id) => setQuery({ topic: id }, { replace: true, preventScrollReset: true })}
            tabs={TOPICS.map(({ id, label, entries }) => ({
              value: id,
              label,
              content: (
                <>
                  <h2 className="visually-hidden">{label}</h2>
                  <Entries entries={entries} open={entryId} />
                </>
              ),
            }))}
          />
        </div>
      )}
      <NotFound />
    </div>
  )
}

function Entries({ entries, open }: { entries: readonly Entry[]; open?: string }) {
  return (
    <Questions
      flush
      open={open}
      questions={entries.map(({ id, question, answer }) => ({
        id,
        question,
        answer: <Prose name={`faq.${id}`}>{answer}</Prose>,
      }))}
    />
  )
}

/** What a search brought, under its topics. */
function Found({ query, onClear }: { query: string; onClear: () => void }) {
  const topics = searchQuestions(query, useFacts(), useBrand().content.texts)
  const count = topics.reduce((sum, { entries }) => sum + entries.length, 0)
  return (
    <div className={styles.found}>
      <p className={styles.count} role="status">
        {count === 0 ? `Nothing matches “${query}”. Try another word, or ask us.` : `${countNoun(count, 'answer')} for “${query}”`}
        <LinkButton onClick={onClear}>Show all topics</LinkButton>
      </p>
      {topics.map(({ id, label, entries }) => (
        <section key={id} aria-labelledby={`topic-${id}`}>
          <h2 id={`topic-${id}`}>{label}</h2>
          <Entries entries={entries} />
        </section>
      ))}
    </div>
  )
}

function NotFound() {
  const { contact } = useBrand()
  const { emailReply, expertHours } = useFacts()
  return (
    <section className={styles.ask} aria-labelledby="ask">
      <h2 id="ask">Not found what you need?</h2>
      <p>
        E-mail is answered within {emailReply}. Our experts are on the phone {expertHours}.
      </p>
      <div className={styles.buttons}>
        <ButtonLink variant="solid" to={paths.contact}>
          Contact Support
        </ButtonLink>
        <ButtonAnchor variant="line" href={telephone(contact.phone)}>
          <Phone size={16} strokeWidth={2} aria-hidden="true" />
          Call {contact.phone}
        </ButtonAnchor>
      </div>
    </section>
  )
}
