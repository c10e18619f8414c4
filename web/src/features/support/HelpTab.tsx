import type { Booking } from '@passerelle/contracts/http/booking'
import { ArrowRight, ChevronRight } from 'lucide-react'
import { Prose } from '../../brand/Prose.tsx'
import { paths, withQuery } from '../../lib/paths.ts'
import { Link } from '../../lib/router.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Questions } from '../../ui/Questions.tsx'
import { WithAside } from '../../ui/WithAside.tsx'
import { ASKED_MOST, HELP_TOPICS } from './content.ts'
import { RetrieveForm } from './RetrieveForm.tsx'
import styles from './SupportPage.module.css'

/** What is asked most often, the topics of all other questions, and the way to a booking. */
export function HelpTab({ onFound }: { onFound: (booking: Booking) => void }) {
  return (
    <>
      <WithAside asideLabel="Retrieve a booking" aside={<RetrieveForm words="Without signing in." onFound={onFound} />}>
        <h2 className={styles.heading}>Asked most often</h2>
        <Questions
          questions={ASKED_MOST.map(({ id, question, answer }) => ({
            id,
            question,
            answer: <Prose name={`support.${id}`}>{[answer]}</Prose>,
          }))}
        />
        <ButtonLink className={styles.all} variant="quiet" to={paths.faq}>
          All questions
          <ArrowRight size={16} strokeWidth={2} aria-hidden="true" />
        </ButtonLink>
      </WithAside>
      <section className={styles.topics} aria-labelledby="topics">
        <h2 id="topics" className={styles.heading}>
          Popular Help Topics
        </h2>
        <ul>
          {HELP_TOPICS.map(([topic, label, words]) => (
            <li key={topic}>
              <Link to={withQuery(paths.faq, { topic })}>
                <span>
                  <b>{label}</b>
                  <small>{words}</small>
                </span>
                <ChevronRight size={16} strokeWidth={2} aria-hidden="true" />
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
