import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import styles from './Questions.module.css'

export type Question = { id: string; question: string; answer: ReactNode }

type Props = {
  questions: readonly Question[]
  /** The one that is open at first. */
  open?: string | undefined
  level?: 2 | 3
  flush?: boolean
}

/** Questions under rules, one open at a time; the open one can be closed. Each has an address of its own. */
export function Questions({ questions, open, level = 3, flush = false }: Props) {
  const name = useId()
  const Heading = `h${level}` as const
  return (
    <div className={styles.list} data-flush={flush || undefined}>
      {questions.map(({ id, question, answer }) => (
        <details key={id} id={id} name={name} open={id === open}>
          <summary>
            <Heading>{question}</Heading>
            <ChevronDown size={20} strokeWidth={1.75} aria-hidden="true" />
          </summary>
          <div className={styles.answer}>{answer}</div>
        </details>
      ))}
    </div>
  )
}
