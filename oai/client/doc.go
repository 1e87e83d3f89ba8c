// Package client reads the answers of OAI-PMH 2.0 servers
// (http://www.openarchives.org/OAI/openarchivesprotocol.html), including faulty ones. It tolerates
// errors where possible and reports each as a finding. A broken record does not affect its
// neighbours.
//
// The client receives an answer completely before reading it: into memory if it is small, otherwise
// into a temporary file. Thus the server does not wait, an interrupted answer is requested again,
// and memory does not grow with its size. Then a bytewise scanner splits the answer into records,
// and an XML parser reads each record separately.
package client
