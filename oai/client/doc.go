// Package client reads what OAI-PMH 2.0 servers answer
// (http://www.openarchives.org/OAI/openarchivesprotocol.html), whatever they answer: it forgives
// what it can, tells each thing as a finding, and never lets one bad record spoil those beside it.
//
// An answer is brought in whole before it is read: into memory when it is small, else into a
// temporary file. So the server is not kept waiting, an answer that breaks off is asked for again,
// and memory does not grow with its size. Then it is cut into records, bytewise, and each record is
// read by an XML parser of its own.
package client
