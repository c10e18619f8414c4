import type { Login } from '@passerelle/contracts/http/identity'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '../../lib/api-client.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import { type Refusal, refusalOf } from '../../lib/refusal.ts'
import { Link, Navigate, useLocation, useSearchParams } from '../../lib/router.ts'
import { useSchemaResolver } from '../../lib/schema-resolver.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Refused } from '../../ui/Refused.tsx'
import { toast } from '../../ui/toaster/toast-store.ts'
import styles from './AuthForm.module.css'
import { AuthLayout } from './AuthLayout.tsx'
import { safeRedirect } from './model/redirect.ts'
import { rememberUser, usernameIn } from './model/signed-in.ts'
import { UsernameField } from './UsernameField.tsx'

const schema = () => import('@passerelle/contracts/http/identity').then(({ Login }) => Login)

export function LoginPage() {
  const user = useUser()
  const { state } = useLocation()
  const [query] = useSearchParams()
  const redirect = query.get('redirect')
  const queryClient = useQueryClient()
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const { register, handleSubmit, setFocus, formState } = useForm({
    resolver: useSchemaResolver(schema),
    defaultValues: { username: usernameIn(state), password: '' },
  })
  const { errors, isSubmitting } = formState

  async function submit(credentials: Login): Promise<void> {
    setRefusal(null)
    try {
      const signedIn = await api.login({ body: credentials })
      toast({
        title: 'Login successful',
        ...(signedIn.mustChangePassword && { description: 'Please choose a password of your own in Account Settings.' }),
        tone: 'positive',
      })
      rememberUser(queryClient, signedIn)
    } catch (error) {
      setRefusal(refusalOf(error, 'Invalid username or password'))
      setFocus('password', { shouldSelect: true })
    }
  }

  // Also for somebody who is signed in already.
  if (user) return <Navigate to={safeRedirect(redirect)} replace />
  return (
    <AuthLayout
      title="Log In"
      intro="See your trips and manage your account."
      words="You can also book without an account. We keep your trip under its reference and your e-mail."
    >
      <form className={styles.form} aria-label="Log In" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
        {refusal && <Refused title="Login failed" message={refusal.message} />}
        <UsernameField error={errors.username?.message} {...register('username')} />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
          beside={<Link to={paths.forgotPassword}>Forgot password?</Link>}
          {...register('password')}
        />
        <Button type="submit" variant="solid" size="lg" full busy={isSubmitting}>
          {isSubmitting ? 'Logging in' : 'Log In'}
        </Button>
      </form>
      <p className={styles.other}>
        New here? <Link to={withQuery(paths.register, { redirect })}>Create Account</Link>
      </p>
    </AuthLayout>
  )
}
