import { Tabs as ChakraTabs } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Styled } from './Styled.tsx'

type Tab = { value: string; label: ReactNode; content: ReactNode }

type Props = {
  label: string
  tabs: readonly Tab[]
  value?: string
  defaultValue?: string
  onChange?: (value: string) => void
  listClassName?: string | undefined
  panelClassName?: string | undefined
}

/** Panels are rendered when first shown and kept. */
export function Tabs({ label, tabs, value, defaultValue = tabs[0]?.value ?? '', onChange, listClassName, panelClassName }: Props) {
  return (
    <Styled>
      <ChakraTabs.Root
        {...(value === undefined ? { defaultValue } : { value })}
        onValueChange={(details) => onChange?.(details.value)}
        lazyMount
      >
        <ChakraTabs.List aria-label={label} className={listClassName}>
          {tabs.map((tab) => (
            <ChakraTabs.Trigger key={tab.value} value={tab.value}>
              {tab.label}
            </ChakraTabs.Trigger>
          ))}
        </ChakraTabs.List>
        {tabs.map((tab) => (
          <ChakraTabs.Content key={tab.value} value={tab.value} className={panelClassName}>
            {tab.content}
          </ChakraTabs.Content>
        ))}
      </ChakraTabs.Root>
    </Styled>
  )
}
