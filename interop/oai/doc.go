// Package oai lets harvesters that we did not write take everything from our providers: HTTP::OAI
// of Perl, oai-pmh of npm, sickle of Python, and, where they are told, metha and the validator of
// the Open Archives Initiative. Each must come home with exactly the records that there are, the
// deleted ones marked. And xmllint validates every answer of every verb in every format, against
// the official schemas and ours.
//
//	bash interop/run oai
//	QUIRE_METHA=metha-sync QUIRE_OAI_VALIDATOR=oaipmh-validator/oaipmh-validator.pl bash interop/run oai
//
// The last two are in no registry of packages, so CI goes without them.
package oai
