import type { PassengerRules } from '@passerelle/contracts/rules/passengers'
import type { UseFormReturn } from 'react-hook-form'
import type { PassengersForm } from '../model/passenger-form.ts'

/** The fields of one passenger. */
export type FieldProps = { index: number; form: UseFormReturn<PassengersForm>; rules: PassengerRules }
