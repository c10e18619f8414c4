import { Aircraft, Bridge } from './shapes.tsx'

type Props = {
  className?: string | undefined
  /** Which part of the scene; the ground is at y 400, the aircraft between x 10 and 710. */
  viewBox?: string
  /** Ground, terminal and horizon behind; without them the scene stands on whatever is below it. */
  horizon?: boolean
}

/** Aircraft and bridge joined: all is well. Wheels stand on the lower edge, so place the next block directly under it. */
export function BridgeDocked({ className, viewBox = '-1240 -40 2800 440', horizon = false }: Props) {
  return (
    <svg className={className} viewBox={viewBox} preserveAspectRatio="xMidYMax slice" aria-hidden="true" focusable="false">
      <circle cx="300" cy="210" r="216" fill="var(--art-sky-2)" />
      <circle cx="300" cy="210" r="150" fill="var(--art-sky-3)" />
      {horizon && (
        <>
          <path d="M-1240 352h2800v48h-2800z" fill="var(--art-sky-2)" />
          <path d="M-1240 352v-24h150v-22h90v22h60v-40h26v40h130v-16h60v16h110v24z" fill="var(--art-sky-2)" />
        </>
      )}
      <Aircraft />
      <Bridge people />
    </svg>
  )
}
