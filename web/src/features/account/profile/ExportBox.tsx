import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { api, messageOf } from '../../../lib/api-client.ts'
import { download } from '../../../lib/download.ts'
import { forgetUserOn401 } from '../../../lib/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import styles from '../Account.module.css'
import { Box } from '../Box.tsx'

const FILE = 'my-data.json'

/** Everything that is held about the account, as a file. */
export function ExportBox() {
  const queryClient = useQueryClient()
  const exporting = useMutation({
    mutationFn: () => api.exportAccount(),
    onSuccess: (data) => {
      download(JSON.stringify(data, null, 2), FILE, 'application/json')
      toast({ title: 'Your data is ready', description: `It was saved as ${FILE}.`, tone: 'positive' })
    },
    onError: (error) => {
      if (forgetUserOn401(queryClient, error)) return
      toast({ title: 'Unable to export your data', description: messageOf(error, 'Please try again.'), tone: 'negative' })
    },
  })
  return (
    <Box title="Your data">
      <p className={styles.words}>
        A file with what we hold about you: your account, your bookings and, once your e-mail is confirmed, the messages you sent us. It
        opens in any text editor.
      </p>
      <div className={styles.after}>
        <Button variant="line" busy={exporting.isPending} onClick={() => exporting.mutate()}>
          {!exporting.isPending && <Download size={16} strokeWidth={2} aria-hidden="true" />}
          Export my data
        </Button>
      </div>
    </Box>
  )
}
