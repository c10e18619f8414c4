import { ChevronDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from '../../lib/router.ts'
import styles from './ArticlePage.module.css'
import type { Section } from './article.ts'

/** The section that is being read: the last one whose heading has passed the upper third of the window. */
function useCurrentSection(sections: readonly Section[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id)
  useEffect(() => {
    const look = () => {
      const passed = sections.filter(
        ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < window.innerHeight / 3,
      )
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
      setCurrent((atEnd && window.scrollY > 0 ? sections : passed).at(-1)?.id ?? sections[0]?.id)
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [sections])
  return current
}

/** "On this page": beside the text, folded above it on a phone. */
export function Contents({ sections }: { sections: readonly Section[] }) {
  const current = useCurrentSection(sections)
  const list = (
    <ol>
      {sections.map(({ id, title }) => (
        <li key={id}>
          <Link to={`#${id}`} replace aria-current={id === current ? 'true' : undefined}>
            {title}
          </Link>
        </li>
      ))}
    </ol>
  )
  return (
    <nav className={styles.contents} aria-label="On this page">
      <div className={styles.beside}>
        <h2>On this page</h2>
        {list}
      </div>
      <details className={`card ${styles.folded}`}>
        <summary>
          On this page
          <ChevronDown size={16} strokeWidth={2} aria-hidden="true" />
        </summary>
        {list}
      </details>
    </nav>
  )
}
