// Package client reads the answers of OAI-PMH 2.0 servers
// (http://www.openarchives.org/OAI/openarchivesprotocol.html), including faulty answers. It
// tolerates errors where possible and reports each error as a finding. A broken record does not
// affect the records next to it.
//
// The client receives a complete answer before it reads it. It keeps a small answer in memory, and
// a larger answer in a temporary file. So the server does not wait, an interrupted answer is
// requested again, and memory does not grow with the size of the answer. Then a bytewise scanner
// splits the answer into records, and an XML parser reads each record separately.
package client
