import { Drawer, Portal } from '@chakra-ui/react'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import { Styled } from './Styled.tsx'

type Props = {
  open: boolean
  onClose: () => void
  /** Names the sheet; `heading` may show something richer in its place. */
  title: string
  heading?: ReactNode
  children: ReactNode
  footer?: ReactNode
  placement?: 'bottom' | 'end'
  closeLabel?: string
}

/** From the bottom edge (filters, pickers on a phone) or from the right (menu). Load it lazily. */
export function Sheet({ open, onClose, title, heading, children, footer, placement = 'bottom', closeLabel = 'Close' }: Props) {
  return (
    <Styled>
      <Drawer.Root open={open} onOpenChange={(details) => !details.open && onClose()} placement={placement}>
        <Portal>
          <Drawer.Backdrop />
          <Drawer.Positioner>
            <Drawer.Content aria-label={title}>
              <Drawer.Header>
                {heading ?? (
                  <Drawer.Title asChild>
                    <h2>{title}</h2>
                  </Drawer.Title>
                )}
                <Drawer.CloseTrigger asChild>
                  <IconButton aria-label={closeLabel}>
                    <X size={20} strokeWidth={1.75} aria-hidden="true" />
                  </IconButton>
                </Drawer.CloseTrigger>
              </Drawer.Header>
              <Drawer.Body>{children}</Drawer.Body>
              {footer && <Drawer.Footer>{footer}</Drawer.Footer>}
            </Drawer.Content>
          </Drawer.Positioner>
        </Portal>
      </Drawer.Root>
    </Styled>
  )
}
