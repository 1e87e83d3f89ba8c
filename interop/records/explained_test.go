//go:build interop

package records

// explained lists the files that a peer reads without complaint and otherwise than we do, each with the reason why we stay
// with our reading. The key is the peer's name and the file's path below the samples.
var explained = map[string]string{}
