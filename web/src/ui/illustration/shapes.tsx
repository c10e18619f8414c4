/** The parts of the one picture: an aircraft from the front and the bridge that meets it. Flat, in the brand's own colours. */

const SPOKES = Array.from({ length: 9 }, (_, index) => (index * Math.PI) / 9)

function Engine({ x }: { x: number }) {
  const spokes = SPOKES.map((angle) => {
    const [dx, dy] = [Math.cos(angle) * 41, Math.sin(angle) * 41].map((length) => Math.round(length * 10) / 10)
    return `M${x - dx!} ${300 - dy!}L${x + dx!} ${300 + dy!}`
  })
  return (
    <>
      <circle cx={x} cy="300" r="50" fill="var(--art-hull)" />
      <circle cx={x} cy="300" r="43" fill="var(--art-dark)" />
      <path d={spokes.join('')} stroke="var(--art-mid)" strokeOpacity=".5" strokeWidth="1.5" />
      <circle cx={x} cy="300" r="13" fill="var(--art-hull-shade)" />
      <path d={`M${x - 4} 303a5 5 0 0 1 7-7`} fill="none" stroke="var(--art-dark)" strokeWidth="2" />
    </>
  )
}

export function Aircraft() {
  return (
    <g>
      <path d="M352 -24h16l6 140h-28z" fill="var(--art-hull-shade)" />
      <path d="M360 -24h8l6 140h-14z" fill="var(--art-hull-line)" />
      <path d="M352 -24h16l1.3 30h-18.6z" fill="var(--accent)" />
      <path d="M330 146L150 126v-7l190 12z" fill="var(--art-near)" />
      <path d="M390 146L570 126v-7l-190 12z" fill="var(--art-near)" />
      <path d="M270 268L30 219v-9L268 236z" fill="var(--art-near)" />
      <path d="M30 219v-9l-13-34h-6l9 41z" fill="var(--accent)" />
      <path d="M450 268L690 219v-9L452 236z" fill="var(--art-near)" />
      <path d="M164 250h40l-6 30h-28zM516 250h40l-6 30h-28z" fill="var(--art-mid)" />
      <g>
        <path d="M238 288h16v78h-16zM466 288h16v78h-16z" fill="var(--art-mid)" />
        <g fill="var(--art-dark)">
          <rect x="222" y="352" width="20" height="48" rx="9" />
          <rect x="250" y="352" width="20" height="48" rx="9" />
          <rect x="450" y="352" width="20" height="48" rx="9" />
          <rect x="478" y="352" width="20" height="48" rx="9" />
        </g>
      </g>
      <Engine x={184} />
      <Engine x={536} />
      <path d="M354 322h12v52h-12z" fill="var(--art-mid)" />
      <g fill="var(--art-dark)">
        <rect x="340" y="362" width="15" height="38" rx="7" />
        <rect x="365" y="362" width="15" height="38" rx="7" />
      </g>
      <circle cx="360" cy="222" r="116" fill="var(--art-hull)" />
      <path d="M360 106a116 116 0 0 1 0 232c52-20 84-64 84-116s-32-96-84-116z" fill="var(--art-hull-shade)" />
      <path d="M250 258a116 116 0 0 0 220 0c-60 22-160 22-220 0z" fill="var(--art-dark)" />
      <path d="M247 249a116 116 0 0 0 3 9c60 22 160 22 220 0a116 116 0 0 0 3-9c-62 22-164 22-226 0z" fill="var(--accent)" />
      <g>
        <path d="M357 160l-44 5-11 33 55-5z" fill="var(--art-dark)" />
        <path d="M363 160l44 5 11 33-55-5z" fill="var(--art-dark)" />
        <path d="M308 166l-29 9-11 27 29-4z" fill="var(--art-dark)" />
        <path d="M412 166l29 9 11 27-29-4z" fill="var(--art-dark)" />
        <path d="M274 178l-14 9-6 17 9-1z" fill="var(--art-dark)" />
        <path d="M446 178l14 9 6 17-9-1z" fill="var(--art-dark)" />
      </g>
      <path d="M340 162l-15 33 10-1 14-33zM290 172l-11 27 5-1 11-27z" fill="var(--art-hull-line)" opacity=".55" />
      <circle cx="360" cy="272" r="5" fill="var(--art-hull)" />
    </g>
  )
}

/** Middle of the head, the floor, half the width and the colour of somebody seen through a window. */
type PersonProps = { x: number; floor: number; half: number; light?: boolean }

const PEOPLE: readonly PersonProps[] = [
  { x: 546, floor: 220, half: 7.4 },
  { x: 572, floor: 220, half: 6.9, light: true },
  { x: 606, floor: 220, half: 4.6 },
  { x: 704, floor: 224, half: 8.4, light: true },
  { x: 790, floor: 224, half: 8.4 },
  { x: 872, floor: 224, half: 8 },
  { x: 960, floor: 224, half: 8.4, light: true },
  { x: 1060, floor: 224, half: 8.4 },
]

function Person({ x, floor, half, light = false }: PersonProps) {
  const height = half * 1.857
  return (
    <g fill={light ? 'var(--art-hull)' : 'var(--art-dark)'}>
      <path d={`M${x - half} ${floor}v-${height}a${half} ${half} 0 0 1 ${half * 2} 0v${height}z`} />
      <circle cx={x} cy={floor - half * 3.571} r={half * 0.743} />
    </g>
  )
}

export function Bridge({ people = false }: { people?: boolean }) {
  return (
    <g>
      <path d="M598 236h12v150h-12zM634 236h12v150h-12z" fill="var(--art-mid)" />
      <path d="M586 318h72v10h-72z" fill="var(--art-mid)" />
      <path d="M578 380h88v10h-88z" fill="var(--art-dark)" />
      <circle cx="596" cy="387" r="13" fill="var(--art-dark)" />
      <circle cx="648" cy="387" r="13" fill="var(--art-dark)" />
      <circle cx="596" cy="387" r="4" fill="var(--art-mid)" />
      <circle cx="648" cy="387" r="4" fill="var(--art-mid)" />
      <path d="M500 164h150v74h-150z" fill="var(--art-hull-shade)" />
      <path d="M640 152h920v98h-920z" fill="var(--art-hull)" />
      <path d="M640 152h10v98h-10z" fill="var(--art-hull-line)" />
      <path d="M500 228h150v10h-150z" fill="var(--art-hull-line)" />
      <path d="M650 238h910v12h-910z" fill="var(--art-dark)" />
      <path d="M650 234h910v4h-910z" fill="var(--accent)" />
      <path
        d="M512 178h118v42h-118zM672 170h150v54h-150zM840 170h150v54h-150zM1008 170h150v54h-150zM1176 170h150v54h-150zM1344 170h150v54h-150z"
        fill="var(--art-sky-3)"
      />
      {people && PEOPLE.map((person) => <Person key={person.x} {...person} />)}
      <path d="M550 178v42M590 178v42M722 170v54M772 170v54M890 170v54M940 170v54" stroke="var(--art-hull)" strokeWidth="3" />
      <path d="M462 148h50v100h-50z" fill="var(--art-hull)" />
      <path d="M476 168h22v40h-22z" fill="var(--art-sky-3)" />
      <path d="M462 240h50v8h-50z" fill="var(--accent)" />
      <g fill="var(--art-dark)">
        <path d="M444 150h4v92h-4zM451 148h4v98h-4zM458 146h4v104h-4z" />
      </g>
      <path d="M440 152h4v88h-4zM448 149h3v96h-3zM455 147h3v101h-3z" fill="var(--art-mid)" />
      <path d="M820 250h44v150h-44z" fill="var(--art-near)" />
      <path d="M850 250h14v150h-14z" fill="var(--art-mid)" />
    </g>
  )
}
