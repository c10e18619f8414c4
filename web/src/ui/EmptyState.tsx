import styles from './EmptyState.module.css'
import { BridgeAlone } from './illustration/BridgeAlone.tsx'
import { Message, type MessageProps } from './Message.tsx'

/** Nothing here, or something failed: the bridge stands alone. */
export function EmptyState(props: Omit<MessageProps, 'picture'>) {
  return <Message {...props} picture={<BridgeAlone className={styles.picture} />} />
}
