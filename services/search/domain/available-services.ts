/** Extras that can be bought with an offer. The supplier gives them no name, so they are named from what is known of them. */
import { readAmount, readCurrency } from './amount.ts'
import type { AvailableService } from './known-offer.ts'
import type { SupplierService } from './supplier.ts'

export function availableServices(services: readonly SupplierService[]): Omit<AvailableService, 'price'>[] {
  return services.map((service, index) => {
    const total_currency = readCurrency(service.total_currency)
    const total_amount = total_currency === null ? null : readAmount(service.total_amount, total_currency)
    return {
      id: `svc_${index + 1}`,
      ...describe(service),
      type: service.type ?? 'other',
      total_amount,
      total_currency: total_amount === null ? null : total_currency,
    }
  })
}

function describe({ type, metadata, maximum_quantity }: SupplierService): { name: string; description: string } {
  if (type === 'baggage') return describeBag(metadata ?? {}, maximum_quantity ?? 1)
  if (type === 'cancel_for_any_reason')
    return { name: 'Cancel for any reason', description: metadata?.merchant_copy ?? 'Cancel before departure, whatever the reason.' }
  const name = type ? sentence(type) : 'Additional service'
  return { name, description: metadata?.merchant_copy ?? name }
}

function describeBag(bag: NonNullable<SupplierService['metadata']>, most: number): { name: string; description: string } {
  const kind = bag.type === 'carry_on' ? 'Carry-on bag' : 'Checked bag'
  const sides = [bag.maximum_length_cm, bag.maximum_height_cm, bag.maximum_depth_cm].filter((side) => typeof side === 'number')
  const details = [
    bag.maximum_weight_kg ? `up to ${bag.maximum_weight_kg} kg` : null,
    sides.length === 3 ? `${sides.join(' x ')} cm` : null,
    most > 1 ? `at most ${most}` : null,
  ].filter((detail) => detail !== null)
  return {
    name: bag.maximum_weight_kg ? `${kind} ${bag.maximum_weight_kg} kg` : kind,
    description: details.length > 0 ? `One extra ${kind.toLowerCase()}, ${details.join(', ')}` : `One extra ${kind.toLowerCase()}`,
  }
}

/** "lounge_access" -> "Lounge access". */
function sentence(type: string): string {
  const words = type.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
