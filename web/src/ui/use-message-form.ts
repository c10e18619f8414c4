import type { Done } from '@passerelle/contracts/http/common'
import { type FormEvent, useState } from 'react'
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import { ApiError } from '../lib/api-client.ts'
import { showFieldErrors } from '../lib/field-errors.ts'
import { refusalOf } from '../lib/refusal.ts'
import { type SchemaLoader, useSchemaResolver } from '../lib/schema-resolver.ts'
import { toast } from './toaster/toast-store.ts'

/** Why a message was not sent; `waitSeconds` when too many came and another may be sent so much later. */
export type MessageRefusal = { message: string; waitSeconds: number | null }

type MessageForm<In extends FieldValues, Out> = {
  form: UseFormReturn<In, unknown, Out>
  refusal: MessageRefusal | null
  onSubmit: (event: FormEvent) => void
}

/** A form to the agency: sent, acknowledged and emptied; kept as it is when the server refuses it. */
export function useMessageForm<In extends FieldValues, Out>(
  schema: SchemaLoader<In, Out>,
  fresh: DefaultValues<In>,
  send: (message: Out) => Promise<Done>,
): MessageForm<In, Out> {
  const [refusal, setRefusal] = useState<MessageRefusal | null>(null)
  const form = useForm<In, unknown, Out>({ resolver: useSchemaResolver(schema), defaultValues: fresh })

  async function submit(message: Out): Promise<void> {
    setRefusal(null)
    try {
      const answer = await send(message)
      form.reset(fresh)
      toast({ title: 'Message sent', description: answer.message, tone: 'positive' })
    } catch (error) {
      const { message: words, fields } = refusalOf(error, 'Your message could not be sent. Please try again.')
      setRefusal({ message: words, waitSeconds: waitOf(error) })
      showFieldErrors(form.setError, fresh, fields)
    }
  }

  return { form, refusal, onSubmit: (event) => void form.handleSubmit(submit)(event) }
}

function waitOf(error: unknown): number | null {
  return error instanceof ApiError && error.code === 'RATE_LIMITED' ? (error.retryAfter ?? 60) : null
}
