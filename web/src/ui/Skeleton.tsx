import styles from './Skeleton.module.css'

/** Room for something that is still loading. Sizes are CSS lengths; the words that say "loading" stand elsewhere. */
export function Skeleton({ width, height, radius }: { width: number | string; height: number | string; radius?: number }) {
  return <span className={styles.skeleton} style={{ width, height, ...(radius !== undefined && { borderRadius: radius }) }} />
}
