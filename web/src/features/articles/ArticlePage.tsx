import { Check } from 'lucide-react'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { useOwnText } from '../../brand/facts.ts'
import { RichText } from '../../brand/RichText.tsx'
import { useHashTarget } from '../../lib/use-hash-target.ts'
import { PageHead } from '../../ui/PageHead.tsx'
import styles from './ArticlePage.module.css'
import { type Article, type Block, LAST_UPDATED, type Table } from './article.ts'
import { Contents } from './Contents.tsx'

/** A page of reading: what matters in short, a list of contents, the text. A brand's text `<name>.<section>` takes a section's place. */
export function ArticlePage({ name, article }: { name: string; article: Article }) {
  useHashTarget()
  return (
    <div className="wrap">
      <PageHead title={article.title} small>
        Last updated: {LAST_UPDATED}
      </PageHead>
      <div className={styles.article}>
        <Contents sections={article.sections} />
        <article className={styles.prose}>
          <section className={styles.brief} aria-labelledby="brief">
            <h2 id="brief">In short</h2>
            <ul>
              {article.brief.map((line) => (
                <li key={line}>
                  <Check size={20} strokeWidth={1.75} aria-hidden="true" />
                  <span>
                    <RichText>{line}</RichText>
                  </span>
                </li>
              ))}
            </ul>
          </section>
          {article.sections.map(({ id, title, blocks }) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id} tabIndex={-1}>
                {title}
              </h2>
              <SectionText name={`${name}.${id}`} blocks={blocks} />
            </section>
          ))}
        </article>
      </div>
    </div>
  )
}

function keyOf(block: Block): string {
  if (typeof block === 'string') return block
  if ('table' in block) return block.table.caption
  return 'list' in block ? (block.list[0] ?? '') : 'company'
}

function SectionText({ name, blocks }: { name: string; blocks: readonly Block[] }) {
  const own = useOwnText(name)
  if (own) return own.map((paragraph) => <p key={paragraph}>{paragraph}</p>)
  return blocks.map((block) => <ArticleBlock key={keyOf(block)} block={block} />)
}

function ArticleBlock({ block }: { block: Block }) {
  if (typeof block === 'string')
    return (
      <p>
        <RichText>{block}</RichText>
      </p>
    )
  if ('company' in block) return <Company />
  if ('table' in block) return <ArticleTable table={block.table} />
  return (
    <ul className={styles.list}>
      {block.list.map((line) => (
        <li key={line}>
          <RichText>{line}</RichText>
        </li>
      ))}
    </ul>
  )
}

function Company() {
  const { name, contact } = useBrand()
  return (
    <address className={styles.company}>
      <strong>{name}</strong>
      {contact.address.split(', ').map((line) => (
        <span key={line}>{line}</span>
      ))}
      <span>
        <RichText>{'{email}, {phone}'}</RichText>
      </span>
    </address>
  )
}

function ArticleTable({ table: { caption, head, rows } }: { table: Table }) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {head.map((words) => (
            <th key={words} scope="col">
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, words]) => (
          <tr key={what}>
            <th scope="row">
              <RichText>{what}</RichText>
            </th>
            <td>
              <RichText>{words}</RichText>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
