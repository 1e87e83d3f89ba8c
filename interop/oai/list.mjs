// Lists the records of a provider with oai-pmh of npm: identifier and status, one record a line.
//   node list.mjs MODULES BASEURL PREFIX
import { createRequire } from 'node:module'

const [modules, base, prefix] = process.argv.slice(2)
const { OaiPmh } = createRequire(modules + '/')('oai-pmh')
for await (const header of new OaiPmh(base).listIdentifiers({ metadataPrefix: prefix })) {
  console.log(header.identifier + '\t' + (header.$?.status === 'deleted' ? 'deleted' : 'live'))
}
