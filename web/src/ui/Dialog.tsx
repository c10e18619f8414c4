import { Dialog as ChakraDialog, Portal } from '@chakra-ui/react'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { IconButton } from './Button.tsx'
import { Styled } from './Styled.tsx'

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** One sentence under the title that says what follows. */
  description?: ReactNode
  children?: ReactNode
  /** Buttons; the safe one first. */
  footer?: ReactNode
  size?: 'sm' | 'lg'
  /** `alertdialog` for a question that must be answered. */
  role?: 'dialog' | 'alertdialog'
  initialFocus?: RefObject<HTMLElement | null>
}

/** In the middle of the page; on a phone it rises from the bottom edge. Load it lazily where it is not part of the first view. */
export function Dialog({ open, onClose, title, description, children, footer, size = 'sm', role = 'dialog', initialFocus }: Props) {
  return (
    <Styled>
      <ChakraDialog.Root
        open={open}
        onOpenChange={(details) => !details.open && onClose()}
        role={role}
        size={size as 'sm'}
        {...(initialFocus && { initialFocusEl: () => initialFocus.current })}
      >
        <Portal>
          <ChakraDialog.Backdrop />
          <ChakraDialog.Positioner>
            <ChakraDialog.Content>
              <ChakraDialog.Title asChild>
                <h2>{title}</h2>
              </ChakraDialog.Title>
              {description && <ChakraDialog.Description>{description}</ChakraDialog.Description>}
              {children && <ChakraDialog.Body>{children}</ChakraDialog.Body>}
              {footer && <ChakraDialog.Footer>{footer}</ChakraDialog.Footer>}
              <ChakraDialog.CloseTrigger asChild>
                <IconButton aria-label="Close">
                  <X size={20} strokeWidth={1.75} aria-hidden="true" />
                </IconButton>
              </ChakraDialog.CloseTrigger>
            </ChakraDialog.Content>
          </ChakraDialog.Positioner>
        </Portal>
      </ChakraDialog.Root>
    </Styled>
  )
}
