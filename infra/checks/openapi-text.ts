import { allContracts } from '@passerelle/contracts/http/all'
import { openApi } from '@passerelle/contracts/openapi'

/** The document as it is committed. */
export const openApiText = () => `${JSON.stringify(openApi(allContracts), null, 2)}\n`
