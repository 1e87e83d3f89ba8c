// Package oai harvests our providers with independent harvesters: HTTP::OAI of Perl, oai-pmh of
// npm, and sickle of Python. If their paths are set, it also runs metha and the validator of the
// Open Archives Initiative. Each harvester must return exactly the existing records, with the
// deleted ones marked. xmllint validates every answer of every verb in every format, against the
// official schemas and ours.
//
//	bash interop/run oai
//	QUIRE_METHA=metha-sync QUIRE_OAI_VALIDATOR=oaipmh-validator/oaipmh-validator.pl bash interop/run oai
//
// The last two are in no package registry, so CI runs without them.
package oai
