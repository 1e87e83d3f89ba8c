// Package policy judges harvests by a policy: a service level, in YAML, that says what a collection
// accepts (docs/reference/330_policy.md). Its rules are expressions of the Common Expression
// Language (CEL) over what the pass wrote down.
//
// A [Judge] is told the same facts while a package is made. What is not known is never guessed: a
// rule that needs it is not judged there, and the judgement says so.
//
// A policy is written by others. Reading and judging by it cost bounded time and memory, whatever
// it says.
package policy
