// Package check tests an OAI-PMH 2.0 data provider. Each finding states the error, the clause, and
// the remedy.
//
// It makes the tests of the validator of openarchives.org (HTTP::OAIPMH::Validator) and more. It
// also tests the grammar of sets, repeated pages, the end of lists, cursors and sizes, headers that
// differ between verbs, deleted records, datestamps outside the requested range, POST, compression,
// and the XML schemas. It sends one request at a time, up to a limit.
package check
