import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '../../lib/api-client.ts'
import { showFieldErrors } from '../../lib/field-errors.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import { type Refusal, refusalOf } from '../../lib/refusal.ts'
import { Link, useNavigate, useSearchParams } from '../../lib/router.ts'
import { useSchemaResolver } from '../../lib/schema-resolver.ts'
import { Button } from '../../ui/Button.tsx'
import { Check } from '../../ui/Choice.tsx'
import { TextField } from '../../ui/Field.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Refused } from '../../ui/Refused.tsx'
import { toast } from '../../ui/toaster/toast-store.ts'
import styles from './AuthForm.module.css'
import { AuthLayout } from './AuthLayout.tsx'
import type { RegisterAnswers, RegisterValues } from './model/register-form.ts'
import { toRegistration } from './model/registration.ts'
import type { SignInState } from './model/signed-in.ts'
import { UsernameField } from './UsernameField.tsx'

const FRESH: RegisterValues = {
  username: '',
  email: '',
  firstName: '',
  lastName: '',
  password: '',
  confirmPassword: '',
  acceptedTerms: false,
}
const schema = () => import('./model/register-form.ts').then(({ RegisterForm }) => RegisterForm)
const TAKEN = { USERNAME_TAKEN: 'username', EMAIL_TAKEN: 'email' } as const

export function RegisterPage() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const login = withQuery(paths.login, { redirect: query.get('redirect') })
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const { register, handleSubmit, setError, formState } = useForm({ resolver: useSchemaResolver(schema), defaultValues: FRESH })
  const { errors, isSubmitting } = formState

  async function submit(values: RegisterAnswers): Promise<void> {
    setRefusal(null)
    try {
      const { username } = await api.register({ body: toRegistration(values) })
      toast({ title: 'Registration successful', description: 'Please sign in with your new account.', tone: 'positive' })
      await navigate(login, { state: { username } satisfies SignInState })
    } catch (error) {
      const refused = refusalOf(error, 'Failed to create account', TAKEN)
      setRefusal(refused)
      showFieldErrors(setError, FRESH, refused.fields)
    }
  }

  return (
    <AuthLayout
      title="Create Account"
      intro="Your trips in one place, on every device."
      words="One account for every trip: see your bookings, cancel one and find its reference again."
    >
      <form className={styles.form} aria-label="Create Account" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
        {refusal && <Refused title="Registration failed" message={refusal.message} />}
        <UsernameField error={errors.username?.message} {...register('username')} />
        <TextField label="Email" required type="email" autoComplete="email" error={errors.email?.message} {...register('email')} />
        <div className={styles.pair}>
          <TextField label="First name" required autoComplete="given-name" error={errors.firstName?.message} {...register('firstName')} />
          <TextField label="Last name" required autoComplete="family-name" error={errors.lastName?.message} {...register('lastName')} />
        </div>
        <PasswordField
          label="Password"
          autoComplete="new-password"
          hint="At least 6 characters; 12 or more are safer."
          error={errors.password?.message}
          {...register('password')}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          error={errors.confirmPassword?.message}
          {...register('confirmPassword')}
        />
        <Check {...register('acceptedTerms')}>
          I have read the <Link to={paths.terms}>Terms of Service</Link> and the <Link to={paths.privacy}>Privacy Policy</Link>
        </Check>
        <Button type="submit" variant="solid" size="lg" full busy={isSubmitting}>
          {isSubmitting ? 'Creating account' : 'Create Account'}
        </Button>
      </form>
      <p className={styles.other}>
        Already have an account? <Link to={login}>Log In</Link>
      </p>
    </AuthLayout>
  )
}
