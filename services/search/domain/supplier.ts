/**
 * What the supplier sends, as far as this service reads it. Everything that was ever seen missing or null may be missing or null,
 * because one airline's odd offer must not cost the visitor all the others.
 */
type Maybe<T> = T | null | undefined

export type SupplierPlace = {
  type?: Maybe<string>
  name?: Maybe<string>
  iata_code?: Maybe<string>
  city_name?: Maybe<string>
  iata_country_code?: Maybe<string>
  time_zone?: Maybe<string>
  city?: Maybe<{ name?: Maybe<string> }>
}

export type SupplierAirline = {
  id?: Maybe<string>
  name?: Maybe<string>
  iata_code?: Maybe<string>
  logo_symbol_url?: Maybe<string>
}

export type SupplierSegmentPassenger = {
  passenger_id: string
  cabin_class?: Maybe<string>
  baggages?: Maybe<{ type: string; quantity: number }[]>
  cabin?: Maybe<{ amenities?: Maybe<{ wifi?: Maybe<{ available?: Maybe<boolean>; cost?: Maybe<string> }> }> }>
}

export type SupplierSegment = {
  id: string
  departing_at: string
  arriving_at: string
  origin: SupplierPlace
  destination: SupplierPlace
  origin_terminal?: Maybe<string>
  destination_terminal?: Maybe<string>
  duration?: Maybe<string>
  aircraft?: Maybe<{ name?: Maybe<string> }>
  marketing_carrier?: Maybe<SupplierAirline>
  marketing_carrier_flight_number?: Maybe<string>
  operating_carrier?: Maybe<SupplierAirline>
  passengers?: Maybe<SupplierSegmentPassenger[]>
  stops?: Maybe<{ airport?: Maybe<SupplierPlace>; duration?: Maybe<string> }[]>
}

export type SupplierSlice = {
  id: string
  origin: SupplierPlace
  destination: SupplierPlace
  duration?: Maybe<string>
  fare_brand_name?: Maybe<string>
  segments?: Maybe<SupplierSegment[]>
}

export type SupplierCondition = Maybe<{ allowed?: Maybe<boolean>; penalty_amount?: Maybe<string>; penalty_currency?: Maybe<string> }>

export type SupplierService = {
  id: string
  type?: Maybe<string>
  passenger_ids?: Maybe<string[]>
  segment_ids?: Maybe<string[]>
  maximum_quantity?: Maybe<number>
  total_amount?: Maybe<string>
  total_currency?: Maybe<string>
  metadata?: Maybe<{
    type?: Maybe<string>
    maximum_weight_kg?: Maybe<number>
    maximum_length_cm?: Maybe<number>
    maximum_height_cm?: Maybe<number>
    maximum_depth_cm?: Maybe<number>
    merchant_copy?: Maybe<string>
  }>
}

export type SupplierOffer = {
  id: string
  total_emissions_kg?: Maybe<string>
  live_mode?: Maybe<boolean>
  created_at?: Maybe<string>
  expires_at?: Maybe<string>
  owner?: Maybe<SupplierAirline>
  total_amount: string
  total_currency: string
  base_amount?: Maybe<string>
  base_currency?: Maybe<string>
  tax_amount?: Maybe<string>
  tax_currency?: Maybe<string>
  conditions?: Maybe<{ refund_before_departure?: SupplierCondition; change_before_departure?: SupplierCondition }>
  payment_requirements?: Maybe<{ price_guarantee_expires_at?: Maybe<string>; payment_required_by?: Maybe<string> }>
  passenger_identity_documents_required?: Maybe<boolean>
  supported_passenger_identity_document_types?: Maybe<string[]>
  supported_loyalty_programmes?: Maybe<string[]>
  passengers?: Maybe<{ id: string; type?: Maybe<string>; age?: Maybe<number> }[]>
  slices?: Maybe<SupplierSlice[]>
  available_services?: Maybe<SupplierService[]>
}

export type SupplierSeatService = { id: string; passenger_id: string; total_amount: string; total_currency: string }

export type SupplierSeatElement = {
  type?: Maybe<string>
  designator?: Maybe<string>
  name?: Maybe<string>
  disclosures?: Maybe<string[]>
  available_services?: Maybe<SupplierSeatService[]>
}

export type SupplierCabin = {
  deck?: Maybe<number>
  cabin_class?: Maybe<string>
  wings?: Maybe<{ first_row_index: number; last_row_index: number }>
  rows?: Maybe<{ sections?: Maybe<{ elements?: Maybe<SupplierSeatElement[]> }[]> }[]>
}

/** One per segment, for those segments that have one. */
export type SupplierSeatMap = { slice_id: string; segment_id: string; cabins?: Maybe<SupplierCabin[]> }
