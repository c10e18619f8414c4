import { toast } from './toaster/toast-store.ts'

/** Browsers without the clipboard call (an address that is not https) still copy what is selected. */
function copySelected(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  return copied
}

export async function copyText(text: string): Promise<void> {
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  if (copied || copySelected(text)) toast({ title: 'Copied to clipboard', tone: 'positive' })
  else toast({ title: 'Copying failed', description: 'Please select the text and copy it.', tone: 'negative' })
}
