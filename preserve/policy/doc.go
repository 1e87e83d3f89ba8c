// Package policy judges harvests by a policy: a service level, in YAML, that states the harvests a
// collection accepts (docs/reference/330_policy.md). Its rules are expressions of the Common
// Expression Language (CEL) over the results of the pass.
//
// A [Judge] receives the same facts while a package is made. Unknown values are never guessed: a
// rule that needs one is not judged, and the judgement reports that.
//
// Policies come from others. Reading a policy and judging by it take bounded time and memory,
// whatever its content.
package policy
