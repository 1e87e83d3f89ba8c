// Package check tests an OAI-PMH 2.0 data provider, and says what is wrong with it, by which
// clause, and what to do.
//
// It asks what the validator of openarchives.org asks (HTTP::OAIPMH::Validator), and what that
// leaves out: the grammar of sets, pages asked for again, the end of lists, cursors and sizes,
// headers that differ from verb to verb, deleted records, datestamps out of the range that was
// asked for, POST, compression, and the XML schemas. It asks one question at a time, and no more
// than it may.
package check
