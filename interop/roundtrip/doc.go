// Package roundtrip tests the whole path of a website of five thousand files. nginx serves it,
// Caddy with our module is the proxy before nginx, and quire oai harvest fetches it into a package.
// Every byte and every header must be the same as for visitors. After changes, additions and
// deletions, the next harvest must bring exactly those.
package roundtrip
